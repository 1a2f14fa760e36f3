// The whole cycle with the real Claude Code: update HANDOFF.md, commit, /clear, resume, again and again.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PracticeScript } from '../../src/protocol/practice.ts';
import { size } from '../test-size.ts';
import { makeCycleWorld, until } from './cycle-world.ts';

const CYCLES = size(2, 25);
const LIMIT = { timeout: 60_000 + CYCLES * 30_000 };

test.each([
  { renderer: 'fullscreen' as const, window: 1_000_000 as const },
  { renderer: 'default' as const, window: 200_000 as const },
])(`hands over ${CYCLES} times in a row: $renderer renderer, window of $window`, LIMIT, async o => {
  const world = await makeCycleWorld(o);
  world.watch();
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    // Turns bring it over the threshold; from then on the pane is the watcher's.
    for (let part = 1; (world.status()?.tokens ?? 0) < 60_000 && world.status()?.handoff == null; part += 1) {
      await world.prompt(`work on part ${part} of ${cycle}`);
      await until(() => !world.ear.isTurnOpen(), 20_000);
      await new Promise(resolve => setTimeout(resolve, 600));
    }
    await until(() => world.records().length === cycle, 40_000, `record ${cycle}: ${JSON.stringify(world.said)}`);
    await until(() => world.status()?.handoff === null && !world.ear.isTurnOpen(), 20_000);
  }
  const records = world.records();
  expect(records.map(record => record.outcome)).toEqual(Array(CYCLES).fill('closed'));
  expect(records.every(record => record.written_by === 'agent')).toBe(true);
  const sessions = [records[0]!.session_before, ...records.map(record => record.session_after)];
  expect(new Set(sessions).size).toBe(CYCLES + 1);
  for (const { id, commit, tokens_before, tokens_after } of records) {
    expect(world.git('log', '--format=%H', '--grep', `Handoff-Id: ${id}`)).toBe(commit!.sha);
    expect(tokens_before!).toBeGreaterThanOrEqual(60_000);
    expect(tokens_after!).toBeLessThan(60_000);
  }
  // Exactly the document is in each commit, and the fresh session read it.
  expect(world.git('show', '--format=', '--name-only', 'HEAD')).toBe('docs/HANDOFF.md');
  expect(world.practice.requests().filter(({ rule, kind }) => rule === 'resume' && kind === 'prompt')).toHaveLength(
    CYCLES,
  );
  expect(world.alerts).toEqual([]);
  expect((await world.door.look())?.lease).toBeNull();
});

test('a threshold that compaction would come before is told at the start, once, with the safe maximum', async () => {
  const world = await makeCycleWorld({ window: 200_000, settings: { context_threshold: 190_000 } });
  await world.prompt('work');
  await until(() => !world.ear.isTurnOpen());
  world.watch();
  await until(() => world.alerts.length > 0);
  expect(world.alerts).toEqual([expect.stringMatching(/context_threshold.*167[ ,.]?000/s)]);
});

test('nothing of the index or the working tree is touched, and no key is pressed into a draft', {
  timeout: 90_000,
}, async () => {
  const world = await makeCycleWorld();
  writeFileSync(world.at('work', 'staged.txt'), 'staged\n');
  world.git('add', 'staged.txt');
  writeFileSync(world.at('work', 'code.txt'), 'changed, not staged\n');
  const before = world.git('diff', '--cached', '--name-status');
  for (const part of [1, 2, 3]) await world.prompt(`work on part ${part}`);
  await until(() => !world.ear.isTurnOpen());
  world.keys('-l', 'a draft of mine');
  await new Promise(resolve => setTimeout(resolve, 500));
  world.watch();
  await until(() => world.status()?.handoff?.state === 'quiet');
  await new Promise(resolve => setTimeout(resolve, 2500));
  expect(world.status()?.handoff?.state).toBe('quiet');
  expect((await world.door.look())!.text).toContain('a draft of mine');
  world.keys('C-u');
  await until(() => world.records().length === 1);
  expect(world.records()[0]).toMatchObject({ outcome: 'closed', commit: { place: 'branch' } });
  expect(world.git('diff', '--cached', '--name-status')).toBe(before);
  expect(readFileSync(world.at('work', 'code.txt'), 'utf8')).toBe('changed, not staged\n');
});

test('an agent that writes no document is corrected once, then the watchdog writes it and marks it so', {
  timeout: 90_000,
}, async () => {
  const world = await makeCycleWorld({ script: 'liar', settings: { context_threshold: 1000 } });
  await world.prompt('work');
  await until(() => !world.ear.isTurnOpen());
  world.watch();
  await until(() => world.records().length === 1, 60_000);
  expect(world.records()[0]).toMatchObject({ written_by: 'watchdog', session_after: expect.any(String) });
  expect(readFileSync(world.at('work', 'docs', 'HANDOFF.md'), 'utf8')).toContain('Written by the watchdog');
  // The fresh session is over such a low threshold at once: told as futile, and not done again.
  expect(world.records()[0]!.outcome).toBe('futile');
  expect(world.alerts.join()).toContain('futile');
});

test('a watcher that is stopped in the middle and begun again goes on with the same handoff', {
  timeout: 90_000,
}, async () => {
  const world = await makeCycleWorld();
  for (const part of [1, 2, 3]) await world.prompt(`work on part ${part}`);
  await until(() => !world.ear.isTurnOpen());
  const first = world.watch();
  await until(() => world.status()?.handoff?.state === 'writing');
  expect(existsSync(world.at('channel', 'block'))).toBe(true);
  world.unwatch();
  await first.done;
  expect(world.records()).toEqual([]);
  expect(existsSync(world.at('channel', 'block')), 'compaction is free while nobody goes on with it').toBe(false);
  world.watch();
  await until(() => world.records().length === 1);
  expect(world.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'agent' });
  expect(world.practice.requests().filter(({ rule, kind }) => rule === 'handoff' && kind === 'prompt')).toHaveLength(1);
});

test('one whose contract is met is finished, not handed off: no prompt, no commit, no clear, and the pane is free', async () => {
  const world = await makeCycleWorld({ hasContract: true, set: { start: 70_000, step: 1000 } });
  await world.prompt('work');
  await until(() => !world.ear.isTurnOpen());
  await world.prompt('work on');
  writeFileSync(world.at('result.json'), '{"status":"success"}');
  const session = world.ear.state().sessionId;
  await world.watch().handoffNow('manual');
  await until(() => world.records().length === 1, 30_000, 'a record');
  expect(world.records()[0]).toMatchObject({ outcome: 'finished', commit: null, session_after: null });
  expect(world.ear.state().sessionId).toBe(session);
  expect(world.practice.requests().filter(({ kind }) => kind === 'prompt')).toHaveLength(2);
  await expect.poll(async () => (await world.door.look())?.lease, { timeout: 10_000 }).toBeNull();
});

test(
  'a compaction that happens in the middle all the same is noted, and the cycle goes on to its end',
  LIMIT,
  async () => {
    const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' };
    const full = (name: string, when: object) => ({ name, when, steps: [{ say: 'So.', usage: { context: 75_000 } }] });
    const rules = [full('full', { prompt: '^work$' }), full('writes nothing', { session: 1 })];
    const script = PracticeScript.parse({ about: 'a full one', rules, follow: 'agent' });
    const world = await makeCycleWorld({ env, script });
    await world.prompt('work');
    await until(() => !world.ear.isTurnOpen());
    void world.watch().handoffNow('manual');
    const unblock = setInterval(() => rmSync(world.at('channel', 'block'), { force: true }), 10);
    await until(() => world.ear.state().compactions > 0, 30_000).finally(() => clearInterval(unblock));
    await until(() => world.records().length === 1, 60_000, JSON.stringify(world.said));
    expect(world.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'watchdog' });
    expect(world.records()[0]!.notes).toContain('Claude Code compacted the context during the handoff');
  },
);
