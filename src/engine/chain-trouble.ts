// Did a headless chain end because the service refused it? Then its account is closed for a while, for all agents
// of it. Pure: the present and chance are given.

import { backOffMs, longestBackOffMs } from '../conversation/api-trouble.ts';
import { parseReset } from '../conversation/parse-reset.ts';
import type { ChainResult } from '../protocol/chain.ts';
import type { ScreenError } from '../protocol/screen.ts';
import { readErrorWords } from '../screen/read-error.ts';

export type ChainTrouble = {
  gate: { reason: string; until: number } | null; // null: the account is not at fault
  mayRetry: boolean;
};
export type Moment = { now: number; attempt: number; chance: number };

const CLOSING: readonly ScreenError['kind'][] = ['auth', 'rate_limit', 'overloaded', 'server', 'usage_limit'];

export function chainTrouble(chain: ChainResult, { now, attempt, chance }: Moment): ChainTrouble {
  // The operator's own limit: an attempt more would spend as much again.
  if (chain.ended_by === 'cost_cap') return { gate: null, mayRetry: false };
  if (chain.ended_by !== 'api_error') return { gate: null, mayRetry: true };
  const words = chain.reason ?? 'API error';
  const told = readErrorWords(words);
  const kind = kindOf(chain.sessions.at(-1)!.api_error_status, told.kind);
  // A person has to log in, or the request itself is at fault: asking again would meet the same.
  const mayRetry = kind !== 'auth' && kind !== 'invalid_request';
  if (!CLOSING.includes(kind)) return { gate: null, mayRetry };
  const resetsAt = told.resets_at === null ? null : parseReset(told.resets_at, now);
  const isShort = kind === 'rate_limit' || kind === 'overloaded' || kind === 'server';
  // Nobody is left in a session who would find the account open again: so it always opens by itself.
  const waitMs = isShort ? backOffMs(attempt - 1, chance) : longestBackOffMs;
  return { gate: { reason: words, until: resetsAt ?? now + waitMs }, mayRetry };
}

// The words of a used-up account come with a 429; otherwise the status knows best.
function kindOf(status: number | null, told: ScreenError['kind']): ScreenError['kind'] {
  if (told === 'usage_limit' || status === null) return told;
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limit';
  if (status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'invalid_request';
}
