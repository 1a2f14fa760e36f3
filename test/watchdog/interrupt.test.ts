// Past the hard threshold in a turn that does not end: Esc with `interrupt_turns`, and never without it.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PracticeScript } from '../../src/protocol/practice.ts';
import { type CycleOptions, makeCycleWorld, until } from './cycle-world.ts';

const usage = { context: 80_000 };
const speaker = PracticeScript.parse({
  about: 'Fills its context, then speaks for a long time without a tool, so that no hook can hand it an order.',
  vars: { start: 20_000, step: 1000 },
  context: { start: '{{start}}', per_turn: '{{step}}', per_step: 200 },
  rules: [
    { name: 'full', when: { prompt: '^fill' }, steps: [{ say: 'Full.', usage }] },
    {
      name: 'words',
      when: { prompt: '^speak for (?<ms>\\d+)' },
      steps: [{ say: 'Word by word. '.repeat(40), stream_ms: '{{ms}}', usage }],
    },
  ],
  follow: 'grower',
});

const thresholds = { context_threshold: 60_000, hard_threshold: 70_000 };
const limits = { orderMs: 1500, settleMs: 1500 };

// In the middle of its speech, over the hard threshold, with the watcher on it.
async function speaking(ms: number, o: CycleOptions) {
  const world = await makeCycleWorld({ script: speaker, limits, ...o });
  await world.prompt('fill');
  await until(() => !world.ear.isTurnOpen());
  await world.prompt(`speak for ${ms}`);
  const transcript = world.ear.transcript()!;
  world.watch();
  await until(
    () => world.records().length === 1,
    60_000,
    () => `${JSON.stringify([world.said, world.alerts, world.status()])}`,
  );
  const [record] = world.records();
  // The commit of this very handoff, another session, and its first turn.
  expect(record).toMatchObject({ outcome: 'closed', written_by: 'agent', commit: { place: 'branch' } });
  expect(world.git('log', '-1', '--format=%H', '--grep', `Handoff-Id: ${record!.id}`)).toBe(record!.commit!.sha);
  expect(record!.session_after).not.toBe(record!.session_before);
  expect(world.practice.requests().filter(({ rule, kind }) => rule === 'resume' && kind === 'prompt')).toHaveLength(1);
  const isInterrupted = readFileSync(transcript, 'utf8').includes('[Request interrupted by user');
  return { world, record: record!, isInterrupted };
}

const LONG_MS = 300_000;

test('with interrupt_turns a turn that does not end is ended by Esc, and the handoff completes', {
  timeout: 120_000,
}, async () => {
  const { world, isInterrupted } = await speaking(LONG_MS, { settings: { ...thresholds, interrupt_turns: true } });
  expect(isInterrupted).toBe(true);
  expect(world.practice.requests().filter(({ rule, kind }) => rule === 'handoff' && kind === 'prompt')).toHaveLength(1);
});

test('so is one in a pane without hooks', { timeout: 120_000 }, async () => {
  const settings = { ...thresholds, interrupt_turns: true };
  expect((await speaking(LONG_MS, { settings, hooks: false })).isInterrupted).toBe(true);
});

test('without interrupt_turns no Esc is sent, however long it is waited: the ask goes in through the hook', {
  timeout: 120_000,
}, async () => {
  const { world, record, isInterrupted } = await speaking(12_000, { settings: thresholds });
  expect(isInterrupted).toBe(false);
  const ordered = readFileSync(world.at('channel', 'receipts.ndjson'), 'utf8')
    .split('\n')
    .filter(line => line.includes('"ordered"'))
    .map(line => JSON.parse(line));
  expect(ordered).toMatchObject([{ event: 'Stop', ordered: `${record.id}.1` }]);
});
