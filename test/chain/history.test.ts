import { expect, test } from 'vitest';
import { combineResults } from '../../src/chain/combine-results.ts';
import { predictContinuation, sizeOf } from '../../src/chain/predict-continuation.ts';
import { continuationWarning, emptyHistory, recordContinuation, toRun } from '../../src/chain/record-continuation.ts';
import { type ChainRun, ContinuationHistory, type TaskSize } from '../../src/protocol/chain.ts';
import { sessionResult } from './session-result.ts';

const size = (characters: number): TaskSize => ({ characters, inputs: 1, outputs: 1, criteria: 0 });
const run = (continuations: number, more: Partial<ChainRun> = {}): ChainRun => ({
  at: '2026-01-01T00:00:00.000Z',
  continuations,
  pre_compacted: continuations > 0,
  ended_by: 'completed',
  turns: 10,
  cost_usd: 0.1,
  task: size(1000),
  ...more,
});
const historyOf = (...runs: ChainRun[]) => runs.reduce(recordContinuation, emptyHistory('coder'));

test('an agent that never ran has an empty history, no warning and no prediction', () => {
  const history = emptyHistory('coder');
  expect(ContinuationHistory.parse(history)).toEqual(history);
  expect(continuationWarning(history)).toBeNull();
  expect(predictContinuation(size(1000), history)).toMatchObject({ verdict: 'unknown', share: null, basedOn: 0 });
});

test('continuations are counted: the last chain, and all of them', () => {
  const history = historyOf(run(1), run(0), run(3), run(2));
  expect(history).toMatchObject({ runs: 4, runs_continued: 3, last_continuations: 2, total_continuations: 6 });
  expect(ContinuationHistory.parse(history)).toEqual(history);
});

test('a run without continuations sets the last count to 0 and keeps the total', () => {
  expect(historyOf(run(2), run(0))).toMatchObject({ last_continuations: 0, total_continuations: 2 });
});

test('recording changes nothing it was given', () => {
  const before = historyOf(run(1));
  const copy = structuredClone(before);
  recordContinuation(before, run(2));
  expect(before).toEqual(copy);
});

test('totals go on when old runs are forgotten', () => {
  const history = historyOf(...Array.from({ length: 60 }, () => run(1)));
  expect(history.recent).toHaveLength(50);
  expect(history.total_continuations).toBe(60);
});

test.each([
  ['one run of one', [1], null],
  ['two runs of two', [1, 1], null],
  ['one run of four', [1, 0, 0, 0], null],
  ['two runs of four', [1, 0, 2, 0], '2 of its last 4 runs (3 in all)'],
  ['old trouble that is over', [...Array(10).fill(2), ...Array(10).fill(0)], null],
])('warns of tasks that are too big only when it happens often: %s', (_what, counts, warning) => {
  const text = continuationWarning(historyOf(...counts.map(count => run(count))));
  if (warning === null) expect(text).toBeNull();
  else expect(text).toContain(warning);
});

test('a run that was cut off at a limit needed more, though it got none', () => {
  const cut = () => run(0, { ended_by: 'max_turns' });
  expect(continuationWarning(historyOf(cut(), cut(), cut()))).toContain('too big');
});

test('a task is judged by earlier ones of its size', () => {
  const small = Array.from({ length: 5 }, () => run(0, { task: size(500) }));
  const big = Array.from({ length: 5 }, () => run(2, { task: size(20_000) }));
  const history = historyOf(...small, ...big);
  expect(predictContinuation(size(600), history).verdict).toBe('unlikely');
  const prediction = predictContinuation(size(18_000), history);
  expect(prediction.verdict).toBe('likely');
  expect(prediction.expected).toBeCloseTo(2, 1);
  expect(prediction.basedOn).toBe(10);
});

test('runs that failed for another reason say nothing about size', () => {
  const failed = () => run(0, { ended_by: 'api_error' });
  expect(predictContinuation(size(1000), historyOf(failed(), failed(), failed(), run(1))).verdict).toBe('unknown');
});

test('a task unlike all earlier ones still gets their average', () => {
  const history = historyOf(run(1), run(1), run(0));
  const prediction = predictContinuation({ characters: 9_000_000, inputs: 40, outputs: 40, criteria: 9 }, history);
  expect(prediction.share).toBeCloseTo(2 / 3);
});

test('a finished chain becomes a run of its task', () => {
  const result = combineResults(
    [
      { result: sessionResult({ ended_by: 'context_full', pre_compacted: true }), output: '' },
      { result: sessionResult({ turns: 4 }), output: '' },
    ],
    'why',
  );
  const task = sizeOf({ description: 'abc', inputs: { a: 'x' }, outputs: {}, criteria: { ok: true } });
  expect(toRun(result, task)).toEqual({
    at: '2026-01-01T00:00:10.000Z',
    continuations: 1,
    pre_compacted: true,
    ended_by: 'completed',
    turns: 5,
    cost_usd: 0.02,
    task: { characters: 3, inputs: 1, outputs: 0, criteria: 1 },
  });
});
