// The real Claude Code in a pane with our side channel, against the practice model: what it really sends.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PracticeOptions } from '../../src/practice/start-practice.ts';
import type { PracticeScript } from '../../src/protocol/practice.ts';
import type { Receipt, ReceiptEvent } from '../../src/protocol/receipt.ts';
import { readStatusRecord } from '../../src/receipts/read-status-record.ts';
import { readLastUsage, readPrompt, readTurn } from '../../src/receipts/read-transcript.ts';
import { readReceipts } from '../../src/receipts/receipt-tail.ts';
import { sideChannelSettings } from '../../src/receipts/side-channel-settings.ts';
import { makeWorld, openPane, openPractice } from '../practice/practice-world.ts';
import { scripts } from './run-script.ts';

const LIMIT_MS = 15_000;

async function openReporting(script: PracticeOptions['script'] = 'puppet') {
  const practice = await openPractice(script);
  const world = await makeWorld(practice);
  const side = path.join(world.folder, 'side');
  mkdirSync(side, { mode: 0o700 });
  const receipts = path.join(side, 'receipts');
  const record = path.join(side, 'record');
  const block = path.join(side, 'block');
  const settings = path.join(side, 'settings.json');
  const permissions = { defaultMode: 'acceptEdits', allow: ['Bash', 'Read', 'Write'] };
  writeFileSync(settings, JSON.stringify({ ...sideChannelSettings(scripts), permissions, tui: 'fullscreen' }));
  const names = { BATON_RECEIPTS: receipts, BATON_STATUS_RECORD: record, BATON_PANE: '%0', BATON_BLOCK_COMPACT: block };
  const pane = openPane({ ...world, env: { ...world.env, ...names } }, ['--settings', settings]);
  const all = async () => (await readReceipts(receipts)).map(({ receipt }) => receipt);
  const count = async (event: ReceiptEvent) => (await all()).filter(receipt => receipt.event === event).length;
  const until = (event: ReceiptEvent, times: number) =>
    expect.poll(() => count(event), { timeout: LIMIT_MS, interval: 50 }).toBe(times);
  await pane.seen(/^❯\s*$/m);
  await sleep(500); // keys of the first moments after the box is drawn are lost
  // Bracketed, as a terminal pastes: the newlines stay in the box. Enter only when the box shows its end.
  const say = async (text: string, shown: RegExp) => {
    pane.keys('-l', `\x1b[200~${text}\x1b[201~`);
    await pane.seen(shown);
    await sleep(200);
    pane.keys('Enter');
  };
  const command = async (text: string) => {
    pane.keys('-l', text);
    await pane.seen(new RegExp(`❯\\s${text}`));
    await sleep(200);
    pane.keys('Enter');
  };
  return { world, pane, record, block, receipts, all, until, say, command };
}

const eventsOf = (receipts: Receipt[]) => receipts.map(({ event }) => event);

test('the receipts of a turn arrive in order with the very prompt, and the record has the usage', async () => {
  const { world, pane, record, receipts, all, until, say } = await openReporting();
  expect(await readStatusRecord(record)).toMatchObject({ tokens: null, version: '2.1.326' });
  await pane.seen(/context: new/);

  const prompt = 'context 45203 "quoted" \'single\' $HOME `x` \\n ;\nsecond line ü 🎉 -- {"a":[1]}';
  await say(prompt, /\{"a":\[1\]\}/);
  await until('Stop', 1);
  const turn = await all();
  expect(eventsOf(turn)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
  const [start, submit, stop] = turn;
  expect(start).toMatchObject({ source: 'startup', pane: '%0' });
  expect(submit).toMatchObject({ prompt, pane: '%0', session_id: start!.session_id });
  expect(stop).toMatchObject({ pane: '%0', session_id: start!.session_id });

  await pane.seen(/context: 45\.2k tokens \(5%\)/);
  const now = await readStatusRecord(record);
  expect(now).toMatchObject({ tokens: 45_203, percent: 5, window: 1_000_000, session_id: start!.session_id });
  expect(now!.cost_usd).toBeGreaterThan(0);
  expect(await readPrompt(now!.transcript_path!, prompt, 0)).toBe('turn');
  expect(await readTurn(now!.transcript_path!)).toBe('ended');
  expect(await readLastUsage(now!.transcript_path!)).toMatchObject({ tokens: 45_203, session_id: start!.session_id });

  const file = path.join(world.work, 'big.txt');
  await say(`write ${file} ${'private '.repeat(400)}`, /\[Pasted text/);
  await until('Stop', 2);
  expect(eventsOf((await all()).slice(3))).toEqual(['UserPromptSubmit', 'PostToolUse', 'Stop']);
  expect((await all())[4]).toMatchObject({ event: 'PostToolUse', tool: 'Write', session_id: start!.session_id });
  expect(readFileSync(file, 'utf8')).toContain('private');
  expect(readFileSync(receipts, 'utf8')).not.toMatch(/ANTHROPIC|MESSAGING_TOKEN|"tool_response"/);
}, 60_000);

test('clear changes the session in the receipts and empties the record, and compaction can be blocked', async () => {
  const { pane, record, block, all, until, say, command } = await openReporting();
  await say('context 30000', /❯\scontext 30000/);
  await until('Stop', 1);
  await pane.seen(/context: 30\.0k tokens/);

  writeFileSync(block, `${process.pid}\n`);
  await command('/compact');
  await until('PreCompact', 1);
  expect((await all()).at(-1)).toMatchObject({ event: 'PreCompact', trigger: 'manual', blocked: true });
  await pane.seen(/Baton holds compaction back/);

  await sleep(500);
  await command('/clear');
  await until('SessionStart', 2);
  const [ended, started] = (await all()).slice(-2);
  const first = (await all())[0]!.session_id;
  expect(ended).toMatchObject({ event: 'SessionEnd', reason: 'clear', session_id: first });
  expect(started).toMatchObject({ event: 'SessionStart', source: 'clear' });
  expect(started!.session_id).not.toBe(first);
  await pane.seen(/context: new/);
  expect(await readStatusRecord(record)).toMatchObject({ tokens: null, session_id: started!.session_id });

  await say('context 12345', /❯\scontext 12345/);
  await until('Stop', 2);
  expect((await all()).at(-1)).toMatchObject({ event: 'Stop', session_id: started!.session_id });
}, 60_000);

test('a tool result of 300 kB is met without reading it, and Claude Code goes on', async () => {
  const content = 'private '.repeat(40_000);
  const write = { name: 'Write', input: { file_path: '{{path}}', content } };
  const rule = {
    name: 'big',
    when: { prompt: '^big (?<path>/\\S+)' },
    steps: [{ tools: [write] }, { say: 'Written.' }],
  };
  const { world, pane, receipts, all, until, say } = await openReporting({
    about: 'One big file.',
    rules: [rule],
  } as unknown as PracticeScript);
  const file = path.join(world.work, 'b.txt');
  await say(`big ${file}`, /b\.txt/);
  await until('Stop', 1);
  expect(statSync(file).size).toBeGreaterThan(300_000);
  expect(eventsOf(await all())).toEqual(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop']);
  expect(statSync(receipts).size).toBeLessThan(3_000);
  // The Stop receipt comes while the pane still says "running Stop hook".
  expect(await pane.seen(/context: \d/)).not.toMatch(/hook|EPIPE/i);
}, 60_000);
