// Did the last turn end because the service, not the agent, failed? And is it worth another try?

import type { ScreenReading } from '../protocol/screen.ts';
import type { Heard } from './heard.ts';

export type TroubleKind = NonNullable<ScreenReading['error']>['kind'];
export type Trouble = {
  kind: TroubleKind;
  message: string;
  at: number;
  resetsAt: number | null;
  isFinal: boolean; // the request itself is at fault: asking again would meet the same
  isOpenEnded: boolean; // only a person can end it
};

// What the StopFailure hook calls it → what the screen reader calls it.
const hookNames: Record<string, TroubleKind> = {
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  server_error: 'server',
  authentication_failed: 'auth',
  invalid_request: 'invalid_request',
};

export function apiTrouble(heard: Heard, screen: ScreenReading | null): Trouble | null {
  const shown = screen?.error ?? null;
  // A full context or account refuses the prompt without any hook: only the screen tells.
  if (shown?.kind === 'context_limit' || shown?.kind === 'usage_limit')
    return toTrouble(shown.kind, shown, heard.lastSignAt);
  if (heard.lastEnd?.kind !== 'failure') return null;
  const kind = shown?.kind ?? hookNames[heard.lastEnd.error] ?? 'other';
  return toTrouble(kind, shown ?? { message: `API error: ${heard.lastEnd.error}`, resets_at: null }, heard.lastEnd.at);
}

function toTrouble(kind: TroubleKind, from: { message: string; resets_at: string | null }, at: number): Trouble {
  const resetsAt = from.resets_at === null ? null : Date.parse(from.resets_at);
  return {
    kind,
    message: from.message,
    at,
    resetsAt,
    isFinal: kind === 'invalid_request',
    isOpenEnded: kind === 'auth',
  };
}

// A used-up account whose reset could not be understood is asked again this often.
export const limitLookMs = 30 * 60_000;

// Spread over 5 s, 10 s, 20 s … 5 min: many agents of one account must not knock at the same moment.
const FIRST_MS = 5000;
export const longestBackOffMs = 5 * 60_000;

export function backOffMs(tries: number, chance: number): number {
  return Math.round(Math.min(FIRST_MS * 2 ** tries, longestBackOffMs) * (0.5 + chance / 2));
}
