// What is remembered of an agent's chains: how often it needed continuations (last, in all), and the recent
// runs a prediction is made from. Pure; src/headless/keep-history.ts keeps it on the disk.

import type { ChainResult, ChainRun, ContinuationHistory, TaskSize } from '../protocol/chain.ts';

// Older runs say little about an agent whose role was rewritten since.
const KEPT = 50;
const LOOKED_AT = 10;
// Two runs may be chance.
const ENOUGH_RUNS = 3;
const OFTEN = 0.5;

export const emptyHistory = (agent: string): ContinuationHistory => ({
  version: 1,
  agent,
  runs: 0,
  runs_continued: 0,
  last_continuations: 0,
  total_continuations: 0,
  recent: [],
});

export const toRun = (result: ChainResult, task: TaskSize): ChainRun => ({
  at: result.sessions.at(-1)!.ended_at,
  continuations: result.continuations,
  pre_compacted: result.pre_compacted,
  ended_by: result.ended_by,
  turns: result.turns,
  cost_usd: result.cost_usd,
  task,
});

export function recordContinuation(history: ContinuationHistory, run: ChainRun): ContinuationHistory {
  return {
    ...history,
    runs: history.runs + 1,
    runs_continued: history.runs_continued + (run.continuations > 0 ? 1 : 0),
    last_continuations: run.continuations,
    total_continuations: history.total_continuations + run.continuations,
    recent: [...history.recent, run].slice(-KEPT),
  };
}

// Null while there is nothing to warn of.
export function continuationWarning(history: ContinuationHistory): string | null {
  const recent = history.recent.slice(-LOOKED_AT);
  // A chain that was cut off at its limits needed more than it got.
  const continued = recent.filter(neededMore).length;
  if (recent.length < ENOUGH_RUNS || continued / recent.length < OFTEN) return null;
  return `agent "${history.agent}" needed continuations in ${continued} of its last ${recent.length} runs (${history.total_continuations} in all): its tasks are too big; give it smaller ones`;
}

export const neededMore = (run: ChainRun): boolean =>
  run.continuations > 0 || run.ended_by === 'context_full' || run.ended_by === 'max_turns';
