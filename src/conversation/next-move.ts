// What to do next with one Claude Code session: pure, decided anew from what is seen each time.
//
//   starting ─ box proven ─▶ task said ─▶ working ─ turn over ─▶ contract met? ─ yes ─▶ leaving
//                                            ▲                        │ no
//                                            └──── nudged ◀───────────┘ (at most maxNudges, then it fails)
//
// A dialog, an unknown screen, a human's draft: nothing is typed. A closed gate (limit, lost login): parked.

import type { ScreenReading } from '../protocol/screen.ts';
import { apiTrouble, backOffMs, limitLookMs, type Trouble } from './api-trouble.ts';
import type { Heard } from './heard.ts';
import { dialogCure, obstacles, questions } from './obstacles.ts';
import type { Talk } from './talk.ts';

export type Gate = { reason: string; until: number | null } | null;

export type Seen = {
  at: number;
  launchedAt: number;
  screen: ScreenReading | null; // null: it could not be read this time
  stillMs: number; // how long the screen has looked exactly like this
  stateForMs: number; // how long its state has been the same
  heard: Heard;
  isHeld: boolean; // a person, or the watchdog, has the pane
  hasLeftover: boolean; // a text of Baton's own is in the box, and nobody is about to send it
  gate: Gate; // the account's: closed for all its agents
  provenAt: number; // when a turn of this account last ended well after it had been closed; 0: never
  contract: { complaints: string[]; isHopeless: boolean } | null; // looked at when a turn is over
  costUsd: number | null;
  cap: string | null; // full, and handed off as often as it may be
  chance: number; // 0..1, from outside: waits are spread
};

export type Rules = {
  maxNudges: number;
  readyMs: number;
  permissionMs: number;
  stuckMs: number;
  maxCostUsd: number | null;
};

export type Move =
  | { do: 'nothing' }
  | { do: 'look_at_contract' }
  | { do: 'greet'; sessionId: string }
  | { do: 'say'; purpose: 'task' | 'nudge' | 'again'; complaints: string[] }
  | { do: 'wipe' } // what is left over in the box
  | { do: 'leave' }
  | { do: 'restart' } // in the same conversation
  | { do: 'park'; reason: string; until: number | null; isForAll: boolean } // all agents of the account
  | { do: 'unpark'; isProven: boolean } // proven: a turn went well, so the account is open
  | { do: 'deny' }
  | { do: 'fail'; reason: string; mayRetry: boolean };

const nothing: Move = { do: 'nothing' };

// Two equal idle screens this far apart, with a turn still open, mean that it ended without a word (Esc).
export const STILL_MS = 500;
const MAX_AGAINS = 8;

export function nextMove(talk: Talk, seen: Seen, rules: Rules): Move {
  if (seen.isHeld) return nothing;
  if (seen.hasLeftover && !isAlreadyGoing(seen)) return { do: 'wipe' };
  // Said, but not done: the engine died in between, or the program does not end.
  if (talk.isLeaving) return isAlreadyGoing(seen) ? nothing : { do: 'leave' };
  if (!talk.isReady) return becomeReady(seen, rules);
  const state = seen.screen?.state ?? 'unknown';
  if (questions.includes(state)) return atDialog(talk, seen, rules);
  if (talk.isParked) return whileParked(talk, seen, rules);
  // A long build looks busy for an hour and is fine; the agent's own timeout is its limit.
  if (state === 'busy') return nothing;
  if (state === 'login') return loginLost(talk, seen);
  if (obstacles.includes(state))
    return { do: 'fail', reason: `Claude Code shows "${state}": ${dialogCure(state)}`, mayRetry: false };
  if (state !== 'idle' || !seen.screen?.safe_to_type) return isStuck(seen, rules) ? stuck(seen) : nothing;
  if (seen.heard.isOpen && seen.stillMs < STILL_MS) return nothing;
  return betweenTurns(talk, seen, rules);
}

function becomeReady(seen: Seen, rules: Rules): Move {
  const state = seen.screen?.state ?? 'unknown';
  if (obstacles.includes(state))
    return {
      do: 'fail',
      reason: `Claude Code did not start: it shows "${state}". ${dialogCure(state)}`,
      mayRetry: false,
    };
  const { sessionId } = seen.heard;
  if (seen.screen?.safe_to_type && sessionId !== null) return { do: 'greet', sessionId };
  if (seen.at - seen.launchedAt < rules.readyMs) return nothing;
  const lacks = sessionId === null ? 'its SessionStart hook was not heard' : `its screen reads "${state}"`;
  return { do: 'fail', reason: `Claude Code was not ready after ${rules.readyMs / 1000} s: ${lacks}`, mayRetry: true };
}

// Only a permission is ever answered by time; a question or a plan is a person's.
function atDialog(talk: Talk, seen: Seen, rules: Rules): Move {
  const isOld = talk.askedAt !== null && seen.at - talk.askedAt >= rules.permissionMs;
  return seen.screen?.state === 'permission' && isOld ? { do: 'deny' } : nothing;
}

function betweenTurns(talk: Talk, seen: Seen, rules: Rules): Move {
  if (seen.gate !== null) return { do: 'park', ...seen.gate, isForAll: true };
  const trouble = apiTrouble(seen.heard, seen.screen);
  if (trouble !== null) return afterTrouble(talk, seen, trouble);
  if (!talk.isTaskSaid) return { do: 'say', purpose: 'task', complaints: [] };
  if (seen.contract === null) return { do: 'look_at_contract' };
  if (seen.contract.complaints.length === 0 || seen.contract.isHopeless) return { do: 'leave' };
  if (isTooDear(seen, rules))
    return {
      do: 'park',
      reason: `it has cost ${seen.costUsd} of max_cost_usd ${rules.maxCostUsd}`,
      until: null,
      isForAll: false,
    };
  if (seen.cap !== null) return { do: 'park', reason: seen.cap, until: null, isForAll: false };
  // It did not leave its work unfinished, it was killed: that is no reason to count a nudge.
  if (talk.isCutOff) return { do: 'say', purpose: 'again', complaints: [] };
  if (talk.nudges >= rules.maxNudges)
    return {
      do: 'fail',
      reason: `after ${talk.nudges} nudges still: ${seen.contract.complaints.join('; ')}`,
      mayRetry: true,
    };
  return { do: 'say', purpose: 'nudge', complaints: seen.contract.complaints };
}

// The service failed, not the agent: it waits with all others of its account, then is asked to go on.
function afterTrouble(talk: Talk, seen: Seen, trouble: Trouble): Move {
  if (trouble.kind === 'context_limit')
    return { do: 'fail', reason: 'its context is full: Claude Code takes no further prompt', mayRetry: true };
  if (trouble.isFinal) return { do: 'fail', reason: trouble.message, mayRetry: false };
  if (trouble.isOpenEnded && hasOldLogin(seen)) return { do: 'restart' };
  if (talk.unparkedAt >= trouble.at)
    return { do: 'say', purpose: talk.isTaskSaid ? 'again' : 'task', complaints: [trouble.message] };
  if (talk.agains >= MAX_AGAINS)
    return { do: 'fail', reason: `still after ${talk.agains} tries: ${trouble.message}`, mayRetry: true };
  return { do: 'park', reason: trouble.message, until: untilOf(talk, seen, trouble), isForAll: true };
}

// The words stay on its screen after the login is back, and nothing may be typed under them: it is started anew.
function loginLost(talk: Talk, seen: Seen): Move {
  const { heard, screen } = seen;
  if (hasOldLogin(seen)) return { do: 'restart' };
  if (talk.unparkedAt >= (heard.lastEnd?.at ?? heard.lastSignAt)) return { do: 'restart' };
  const reason = `${screen?.error?.message ?? 'nobody is logged in'}. ${dialogCure('login')}`;
  return { do: 'park', reason, until: null, isForAll: true };
}

// It was started before the account was proven to work again, and may still have the login of then: that it is
// refused says nothing about the others, and a process started now has the login of now.
const hasOldLogin = ({ provenAt, launchedAt }: Seen): boolean => provenAt > launchedAt;

function untilOf(talk: Talk, seen: Seen, trouble: Trouble): number | null {
  if (trouble.resetsAt !== null) return trouble.resetsAt;
  if (trouble.isOpenEnded) return null;
  return seen.at + (trouble.kind === 'usage_limit' ? limitLookMs : backOffMs(talk.agains, seen.chance));
}

function whileParked(talk: Talk, seen: Seen, rules: Rules): Move {
  const { lastEnd } = seen.heard;
  // A person got it to work again: by a login, or just by a prompt of their own.
  if (lastEnd?.kind === 'stop' && lastEnd.at > (talk.parkedSince ?? 0)) return { do: 'unpark', isProven: true };
  const isCapped = isTooDear(seen, rules) || seen.cap !== null;
  const isOver = talk.parkedUntil === null ? !isCapped : seen.at >= talk.parkedUntil;
  return seen.gate === null && isOver ? { do: 'unpark', isProven: false } : nothing;
}

const isTooDear = ({ costUsd }: Seen, { maxCostUsd }: Rules): boolean =>
  maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd;

const GOING_MS = 15_000;
const isAlreadyGoing = ({ heard, at }: Seen): boolean => heard.endedBy !== null && at - heard.lastSignAt < GOING_MS;

const isStuck = (seen: Seen, rules: Rules): boolean =>
  seen.stateForMs >= rules.stuckMs && seen.at - seen.heard.lastSignAt >= rules.stuckMs;

function stuck(seen: Seen): Move {
  const minutes = Math.round(seen.stateForMs / 60_000);
  return {
    do: 'fail',
    reason: `no progress for ${minutes} min (its screen reads "${seen.screen?.state ?? 'unknown'}")`,
    mayRetry: true,
  };
}
