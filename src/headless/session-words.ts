// The lines Baton itself puts between the words of the agent: where a session begins, how it ended, what follows.

import type { Handoff } from '../chain/parse-handoff.ts';
import { plainText } from '../files/plain-text.ts';
import type { ChainLimits, SessionResult } from '../protocol/chain.ts';
import type { StreamEvent } from './read-stream.ts';

const MAX_REASON = 500;

export function sessionBegins(o: {
  event: Extract<StreamEvent, { kind: 'init' }>;
  number: number;
  most: number;
  limits: ChainLimits;
}): string[] {
  const { sessionId, model, version } = o.event;
  const which = o.most > 0 ? `session ${o.number} of at most ${o.most + 1}` : 'session';
  return [
    line(`${which} · ${plainText(model)} · Claude Code ${plainText(version)} · ${plainText(sessionId)}`),
    line(`at most ${o.limits.max_agent_turns} turns, ${usd(o.limits.max_chain_cost_usd)} for all sessions`),
  ];
}

export function sessionEnds(result: SessionResult, chainUsd: number, limits: ChainLimits): string[] {
  const sums = `${result.turns} turns · ${usd(result.cost_usd)} (${usd(chainUsd)} of ${usd(limits.max_chain_cost_usd)})`;
  const reason = result.reason === null ? '' : `: ${plainText(result.reason, { max: MAX_REASON })}`;
  const denials = result.permission_denials.map(
    denial => `! not permitted: ${plainText(denial.tool)} ${plainText(denial.input, { max: MAX_REASON })}`,
  );
  return [...denials, line(`ended: ${result.ended_by}${reason} · ${sums}`)];
}

export function sessionGoesOn(because: 'context_full' | 'max_turns', handoff: Handoff | null): string[] {
  const why = because === 'context_full' ? 'the context is full' : 'the turns ran out';
  const from = handoff?.body ? 'from its HANDOFF section' : 'from the task and the end of its output';
  return [line(`${why}: a fresh session goes on ${from}`)];
}

const line = (text: string): string => `── ${text}`;
const usd = (amount: number): string => `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
