// Will a task need continuations? Judged from the agent's own earlier runs, those of a similar size weighing
// most. With too few of them the answer is that nobody knows.

import type { ChainRun, ContinuationHistory, TaskSize } from '../protocol/chain.ts';
import { neededMore } from './record-continuation.ts';

export type Prediction = {
  verdict: 'likely' | 'unlikely' | 'unknown';
  share: number | null; // of similar runs that needed them, 0 to 1
  expected: number | null; // continuations, on average
  basedOn: number; // runs
  why: string;
};

const ENOUGH_RUNS = 3;
const LIKELY = 0.5;

export function predictContinuation(task: TaskSize, history: ContinuationHistory): Prediction {
  // A run that failed for another reason before any limit says nothing about its size.
  const runs = history.recent.filter(run => neededMore(run) || isConclusive(run));
  if (runs.length < ENOUGH_RUNS) {
    const why = `${runs.length} earlier runs of "${history.agent}" tell too little; ${ENOUGH_RUNS} are needed`;
    return { verdict: 'unknown', share: null, expected: null, basedOn: runs.length, why };
  }
  const weighed = runs.map(run => ({ run, weight: likeness(task, run.task) }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (value: (run: ChainRun) => number) =>
    weighed.reduce((sum, { run, weight }) => sum + weight * value(run), 0) / total;
  const share = mean(run => (neededMore(run) ? 1 : 0));
  const expected = mean(run => run.continuations);
  const verdict = share >= LIKELY ? 'likely' : 'unlikely';
  const why = `${Math.round(share * 100)} % of "${history.agent}"'s runs of this size needed them (${runs.length} runs looked at)`;
  return { verdict, share, expected, basedOn: runs.length, why };
}

const isConclusive = (run: ChainRun): boolean =>
  run.ended_by === 'completed' || run.ended_by === 'completed_with_denials';

export const sizeOf = (task: { description: string; inputs: object; outputs: object; criteria: object }): TaskSize => ({
  characters: task.description.length,
  inputs: Object.keys(task.inputs).length,
  outputs: Object.keys(task.outputs).length,
  criteria: Object.keys(task.criteria).length,
});

// 1 for the same size, falling with the distance; never 0, so that every run has a say. Twice the text counts
// as much as one more file.
function likeness(a: TaskSize, b: TaskSize): number {
  const steps = [
    Math.log2((1 + a.characters) / (1 + b.characters)),
    a.inputs - b.inputs,
    a.outputs - b.outputs,
    a.criteria - b.criteria,
  ];
  return Math.max(1e-6, Math.exp(-steps.reduce((sum, step) => sum + step * step, 0) / 2));
}
