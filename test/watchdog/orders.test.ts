// Past the hard threshold a session that works is asked without any key: the real hooks of the real Claude Code.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PracticeScript } from '../../src/protocol/practice.ts';
import { makeCycleWorld, until } from './cycle-world.ts';

const TOOLS = 40;
const usage = { context: 80_000 };
const bash = (n: number) => ({
  delay_ms: 300,
  usage,
  tools: [{ name: 'Bash', input: { command: `echo ${n}`, description: 'One of many' } }],
});

// Works for a long time in one turn, with tools or only with words; obeys whatever asks for a handoff.
const worker = PracticeScript.parse({
  about: 'Long turns in a context that is over the hard threshold.',
  vars: { start: 20_000, step: 1000 },
  context: { start: '{{start}}', per_turn: '{{step}}', per_step: 200 },
  rules: [
    {
      name: 'tools',
      when: { prompt: '^use tools' },
      steps: [...Array.from({ length: TOOLS }, (_, n) => bash(n)), { say: 'All done.' }],
    },
    { name: 'full', when: { prompt: '^fill' }, steps: [{ say: 'Full.', usage }] },
    {
      name: 'words',
      when: { prompt: '^only words' },
      steps: [{ say: 'Word by word. '.repeat(40), stream_ms: 6000, usage }],
    },
    {
      name: 'behind',
      when: { prompt: '^work behind' },
      steps: [
        {
          usage: { context: 65_000 },
          tools: [{ name: 'Bash', input: { command: 'sleep 120', description: 'Behind', run_in_background: true } }],
        },
        { usage: { context: 65_000 }, say: 'It runs.' },
      ],
    },
  ],
  follow: 'grower',
});

const settings = { context_threshold: 60_000, hard_threshold: 70_000 };
const receiptsOf = (world: { at(...parts: string[]): string }) =>
  readFileSync(world.at('channel', 'receipts.ndjson'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { event: string; ordered?: string; payload: { prompt?: string } | null });

test('in a long turn with many tools the order comes in after a tool call, and no key is pressed for it', {
  timeout: 90_000,
}, async () => {
  const world = await makeCycleWorld({ script: worker, settings });
  world.watch();
  await world.prompt('use tools');
  await until(() => world.records().length === 1, 60_000, JSON.stringify(world.said));
  const [record] = world.records();
  expect(record).toMatchObject({ outcome: 'closed', written_by: 'agent', commit: { place: 'branch' } });
  const ordered = receiptsOf(world).filter(receipt => receipt.ordered !== undefined);
  expect(ordered).toMatchObject([{ event: 'PostToolUse', ordered: `${record!.id}.1` }]);
  // The only prompt that was typed by the watchdog is the one after /clear.
  const typed = receiptsOf(world).flatMap(({ event, payload }) =>
    event === 'UserPromptSubmit' ? [payload?.prompt ?? ''] : [],
  );
  expect(typed.filter(prompt => prompt.includes(`Baton-Message: ${record!.id}/`))).toEqual([
    expect.stringContaining('You go on'),
  ]);
  expect(world.practice.requests().filter(({ rule, kind }) => rule === 'handoff' && kind === 'prompt')).toHaveLength(1);
  // The turn was not waited for: it was far from its end.
  expect(world.practice.requests().filter(({ rule }) => rule === 'tools').length).toBeLessThan(TOOLS);
});

test('a turn without tools gets the order at its end, before it can end', { timeout: 90_000 }, async () => {
  const world = await makeCycleWorld({ script: worker, settings });
  await world.prompt('fill');
  await until(() => !world.ear.isTurnOpen());
  await world.prompt('only words');
  world.watch();
  await until(() => world.records().length === 1, 60_000, JSON.stringify(world.said));
  expect(world.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'agent' });
  const ordered = receiptsOf(world).filter(receipt => receipt.ordered !== undefined);
  expect(ordered).toMatchObject([{ event: 'Stop', ordered: `${world.records()[0]!.id}.1` }]);
});

test('a task in the background is waited for below the hard threshold, and not above it', {
  timeout: 90_000,
}, async () => {
  const world = await makeCycleWorld({ script: worker, settings, set: { start: 20_000, step: 30_000 } });
  await world.prompt('work behind');
  await until(() => !world.ear.isTurnOpen());
  world.watch();
  await until(() => world.status()?.handoff?.state === 'quiet');
  await new Promise(resolve => setTimeout(resolve, 3000));
  expect(world.status()?.handoff?.state).toBe('quiet');
  await world.door.setLease(null); // only for the test's own prompt
  expect(await world.prompt('fill')).toMatchObject({ outcome: 'submitted' });
  await until(() => world.records().length === 1, 60_000, 'the record').catch(error => {
    throw new Error(`${error.message} ${JSON.stringify(world.status())}`);
  });
  expect(world.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'agent' });
});
