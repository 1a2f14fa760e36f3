// The follower of one pane: what it remembers over a restart, what holds a handoff back, how wishes are answered.

import { appendFileSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../cli/cli-world.ts';
import { until } from './cycle-world.ts';
import { fill, looked, paperPane } from './paper-pane.ts';

vi.setConfig(patience);

test('a session that had its handoff is not handed off again by a watchdog that was restarted', async () => {
  const paper = paperPane();
  fill(paper, 's1', 70_000);
  const first = paper.watch();
  await until(
    () => paper.records().length === 1,
    20_000,
    () => paper.said.join('\n'),
  );
  expect(paper.records()[0]).toMatchObject({ outcome: 'agent_gone', session_before: 's1' });
  await first.stop();
  paper.watch();
  await looked(paper, 3);
  expect(paper.told.at(-1)).toMatchObject({ tokens: 70_000, handoff: null });
  expect(paper.records()).toHaveLength(1);
  expect(existsSync(paper.at('state', 'journals', 'k.ndjson'))).toBe(false);
});

test('nor the fresh session of a futile one; the fresh session of a good one is', async () => {
  const paper = paperPane();
  paper.keepRecord({ outcome: 'futile', session_after: 's1' });
  fill(paper, 's1', 70_000);
  const first = paper.watch();
  await looked(paper, 3);
  await first.stop();
  expect(paper.told.map(({ handoff }) => handoff?.state ?? null)).not.toContain('observed');
  expect(paper.records()).toHaveLength(1);
  paper.keepRecord({ outcome: 'closed', session_after: 's1' });
  paper.watch();
  await until(() => paper.records().length === 2, 20_000);
});

test('a wish is refused at max_handoffs, as the threshold is', async () => {
  const paper = paperPane({ settings: { max_handoffs: 1 } });
  paper.keepRecord({});
  fill(paper, 's1', 10_000);
  const watch = paper.watch();
  expect(await watch.handoffNow('manual')).toBe('refused: it had 1 handoffs, and max_handoffs is 1');
  expect(paper.records()).toHaveLength(1);
});

test('wishes during a handoff are told which one is under way, and hand nothing off afterwards', async () => {
  const paper = paperPane();
  fill(paper, 's1', 10_000);
  const watch = paper.watch();
  const answers = await Promise.all([1, 2, 3].map(() => watch.handoffNow('manual')));
  const [, id] = /^begun: handoff (\S+)$/.exec(answers[0]!)!;
  expect(answers.slice(1)).toEqual(Array(2).fill(`handoff ${id} is under way`));
  expect(await watch.handoffNow('manual')).toBe(`handoff ${id} is under way`);
  await until(() => paper.records().length === 1, 20_000);
  await looked(paper, 2);
  expect(paper.records().map(record => record.id)).toEqual([id]);
});

test('a cap that an earlier watchdog left is taken away once the limit was raised', async () => {
  const paper = paperPane({ settings: { max_handoffs: 5 } });
  paper.keepRecord({});
  writeFileSync(paper.pane.cap!, 'it had 1 handoffs, and max_handoffs is 1\n');
  fill(paper, 's1', 10_000);
  paper.watch();
  await until(() => !existsSync(paper.pane.cap!), 20_000);
});

test('a cap stays while nobody knows how full the session is', async () => {
  const paper = paperPane({ settings: { max_handoffs: 1 } });
  paper.keepRecord({});
  fill(paper, 's1', 70_000);
  paper.watch();
  await until(() => existsSync(paper.pane.cap!), 20_000);
  paper.shows('another', 10_000);
  rmSync(paper.at('channel', 's1.jsonl'));
  await looked(paper, 3);
  expect(paper.told.at(-1)).toMatchObject({ tokens: null, paused: 'it had 1 handoffs, and max_handoffs is 1' });
  expect(existsSync(paper.pane.cap!)).toBe(true);
});

test('two records without a transcript to be read begin a handoff', async () => {
  const paper = paperPane();
  paper.receipt('SessionStart', 's1', { source: 'startup' });
  paper.receipt('Stop', 's1');
  paper.shows('s1', 70_000);
  paper.watch();
  await until(() => paper.told.at(-1)?.tokens === 70_000, 20_000);
  await looked(paper, 2);
  expect(paper.told.every(({ handoff }) => handoff === null)).toBe(true);
  paper.shows('s1', 71_000);
  await until(() => paper.records().length === 1, 20_000);
});

test('a record right after the session began is no figure of it', async () => {
  const paper = paperPane();
  const watch = paper.watch();
  await new Promise(resolve => setTimeout(resolve, 600)); // what it finds in the file has no time
  paper.receipt('SessionStart', 's2', { source: 'clear' });
  paper.shows('s2', 70_000);
  await looked(paper, 2, 's2');
  paper.shows('s2', 71_000);
  await looked(paper, 2, 's2');
  expect(paper.told.at(-1)).toMatchObject({ tokens: null, handoff: null });
  await watch.stop();
});

test('a session of which no reading counts is told by estimate, once, and not handed off', async () => {
  const paper = paperPane();
  paper.receipt('SessionStart', 's1', { source: 'startup' });
  appendFileSync(paper.at('channel', 's1.jsonl'), `{"type":"other","text":"${'x'.repeat(500_000)}"}\n`);
  paper.watch();
  await until(() => paper.alerts.length > 0, 20_000);
  await looked(paper, 2);
  expect(paper.alerts).toEqual([expect.stringMatching(/^paper of exec-1: by estimate .* 83\d{3} tokens, over 60000/)]);
  expect(paper.records()).toEqual([]);
});

test('so is one that only its record tells of, when that has stood for a minute', async () => {
  const paper = paperPane();
  writeFileSync(paper.pane.channel!.receipts, '');
  paper.shows('s1', 70_000);
  paper.watch();
  await until(() => paper.told.length > 0, 20_000);
  expect(paper.alerts).toEqual([]);
  const ago = new Date(Date.now() - 61_000);
  utimesSync(paper.pane.channel!.record, ago, ago);
  await until(() => paper.alerts.length > 0, 20_000);
  expect(paper.alerts).toEqual([expect.stringContaining('at 70000 tokens')]);
});

test('settings that were given to a pane count for it, those of the shell around the watchdog for none', async () => {
  process.env.BATON_CONTEXT_THRESHOLD = '5000';
  onTestFinished(() => void delete process.env.BATON_CONTEXT_THRESHOLD);
  const threshold = async (pane: Parameters<typeof paperPane>[0] & object) => {
    const paper = paperPane(pane);
    fill(paper, 's1', 10_000);
    const { stop } = paper.watch();
    await looked(paper, 2);
    await stop();
    return paper.told.at(-1)?.threshold;
  };
  expect(await threshold({})).toBe(60_000);
  expect(await threshold({ pane: { settings: { context_threshold: '90k' } } })).toBe(90_000);
});
