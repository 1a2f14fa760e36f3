// Does the run go on in a fresh session? Only a limit (context full, turns used up) is a reason to; the
// agent's own "COMPLETE", the number of sessions and the money are reasons not to.

import { type ChainLimits, MAX_CONTINUATIONS_CAP, type SessionResult } from '../protocol/chain.ts';
import type { Handoff } from './parse-handoff.ts';

export type ContinuationFacts = {
  endedBy: SessionResult['ended_by'];
  preCompacted: boolean;
  hitMaxTurns: boolean;
  handoff: Handoff | null;
  continuations: number; // so far
  chainCostUsd: number; // of the sessions that ended, this one included
  inFlightUsd: number; // of whatever still runs
};

export type StopBecause = 'complete' | 'no_limit_hit' | 'ended_badly' | 'cost_cap' | 'off' | 'max_continuations';

export type Continuation =
  | { goesOn: true; because: 'context_full' | 'max_turns' }
  | { goesOn: false; because: StopBecause };

type Limits = Pick<ChainLimits, 'max_agent_continuations' | 'max_chain_cost_usd'>;

// After these a fresh session would meet the same trouble, or was not wanted.
const BAD_ENDS: readonly SessionResult['ended_by'][] = ['api_error', 'error', 'timeout', 'stalled', 'cancelled'];

export function decideContinuation(facts: ContinuationFacts, limits: Limits): Continuation {
  const stop = (because: StopBecause): Continuation => ({ goesOn: false, because });
  const most = Math.min(limits.max_agent_continuations, MAX_CONTINUATIONS_CAP);
  if (facts.handoff?.isComplete) return stop('complete');
  if (BAD_ENDS.includes(facts.endedBy)) return stop('ended_badly');
  if (facts.endedBy === 'cost_cap' || isSpent(facts, limits)) return stop('cost_cap');
  if (!facts.preCompacted && !facts.hitMaxTurns) return stop('no_limit_hit');
  if (most <= 0) return stop('off');
  if (facts.continuations >= most) return stop('max_continuations');
  return { goesOn: true, because: facts.preCompacted ? 'context_full' : 'max_turns' };
}

export function isSpent(
  spend: Pick<ContinuationFacts, 'chainCostUsd' | 'inFlightUsd'>,
  limits: Pick<ChainLimits, 'max_chain_cost_usd'>,
): boolean {
  return spend.chainCostUsd + spend.inFlightUsd >= limits.max_chain_cost_usd;
}

export const stopWords: Record<StopBecause, string> = {
  complete: 'the agent wrote HANDOFF: COMPLETE',
  no_limit_hit: 'the session ended by itself: neither its context nor its turns ran out',
  ended_badly: 'a fresh session would meet the same trouble, or is not wanted',
  cost_cap: 'max_chain_cost_usd is spent',
  off: 'continuations are off (max_agent_continuations is 0)',
  max_continuations: 'max_agent_continuations is used up',
};
