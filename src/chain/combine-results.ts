// One result for a whole chain of sessions: sums, the joined output, and how its last session ended.

import type { ChainResult, SessionResult, Tokens } from '../protocol/chain.ts';

export type EndedSession = { result: SessionResult; output: string };

// Enough to see how it ended; the whole is in the raw file and in the log of the pane.
const MAX_TAIL = 8000;
const WELL: readonly SessionResult['ended_by'][] = ['completed', 'completed_with_denials'];

export function combineResults(sessions: readonly EndedSession[], stoppedBecause: string): ChainResult {
  const results = sessions.map(session => session.result);
  const last = results.at(-1);
  if (!last) throw new Error('a chain has at least one session');
  return {
    version: 1,
    ended_by: last.ended_by,
    ended_well: endedWell(last),
    reason: last.reason,
    stopped_because: stoppedBecause,
    cost_usd: roundUsd(results.reduce((sum, result) => sum + result.cost_usd, 0)),
    cost_source: results.every(result => result.cost_source === 'reported') ? 'reported' : 'estimated',
    tokens: results.map(result => result.tokens).reduce(addTokens),
    turns: results.reduce((sum, result) => sum + result.turns, 0),
    continuations: results.length - 1,
    pre_compacted: results.some(result => result.pre_compacted),
    final_session_id: last.session_id,
    permission_denials: results.flatMap(result => result.permission_denials),
    sessions: results,
    output_tail: joinOutputs(sessions).slice(-MAX_TAIL).toWellFormed(),
  };
}

export const endedWell = (result: SessionResult): boolean => WELL.includes(result.ended_by);

export const joinOutputs = (sessions: readonly EndedSession[]): string =>
  sessions
    .map(session => session.output.trim())
    .filter(output => output !== '')
    .join('\n\n');

export const noTokens: Tokens = { input: 0, output: 0, cache_read: 0, cache_creation: 0 };

export const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cache_read: a.cache_read + b.cache_read,
  cache_creation: a.cache_creation + b.cache_creation,
});

// Sums of binary fractions: a millionth of a dollar is finer than any price.
export const roundUsd = (usd: number): number => Math.round(usd * 1e6) / 1e6;
