// The handoff cycle of one pane, decided. Pure: no clock, no tmux, no files, no chance.
//
//   observed ─ lease ─▶ quiet ─ calm ─▶ (archiving) ─▶ asking ─ taken ─▶ writing ─ valid ─▶ committing ─ proven ─┐
//                         │ hard           ▲ long        ▲  ▲             │  │                 ▲   ▲              │
//                         └──▶ ordered ────┼─────────────┘  └─ 1 correction┘  └─ cannot ─▶ fallback │              ▼
//                                          └──────────────────────────────────────────────┘   └ changed ─ committed
//   ended(closed) ◀─ low reading ─ settling ◀─ taken ─ resuming ◀─ other session id ─ clearing ◀─ calm, commit ─┘
//
// Every state is left by what the world shows, never because something was sent. Whatever fails goes to `ended`
// with its name, which alerts, writes the record and gives the lease back. With auto_commit false
// `awaiting_commit` stands in the place of `committing`.

import type { Decision, Handoff, HandoffState, Moment, Rules, Seen, Working } from './handoff-types.ts';
import { ask, asking, order, ordered, toFallback } from './step-ask.ts';
import { clearing, committed, resuming, settling } from './step-clear.ts';
import { awaitingCommit, committing } from './step-commit.ts';
import { archiving, fallback, writing } from './step-write.ts';
import {
  end,
  go,
  isCalm,
  isHard,
  isQuiet,
  mayInterrupt,
  NO_ROOM,
  noted,
  pass,
  patient,
  proven,
  stay,
  waiting,
} from './turns.ts';

type Start = Pick<Handoff, 'id' | 'pane' | 'reason' | 'sessionId' | 'tokensBefore' | 'places'>;

export function begin(start: Start, at: number): HandoffState {
  const handoff: Handoff = {
    ...start,
    startedAt: at,
    sessionAfter: null,
    tokensAfter: null,
    steps: { observed: at },
    messages: 0,
    documentBefore: null,
    corrections: 0,
    shortened: false,
    updates: 0,
    wipes: 0,
    clears: 0,
    author: null,
    otherPrompts: null,
    compactions: null,
    archived: [],
    commit: null,
    notes: [],
  };
  return { name: 'observed', tries: 0, ...waiting(handoff, at) };
}

export function decide(state: HandoffState, seen: Seen | null, rules: Rules, moment: Moment): Decision {
  if (state.name === 'ended') return stay(state);
  const { at } = moment;
  if (seen === null || seen.pane === 'unknown') return blind(pass(state, at, true, rules.limits), at, rules);
  const now = watchful(pass(state, at, false, rules.limits), seen);
  return guard(now, seen, at) ?? wipe(now, seen, rules) ?? step(now, seen, rules, moment);
}

function step(now: Working, seen: Seen, rules: Rules, moment: Moment): Decision {
  const { at } = moment;
  switch (now.name) {
    case 'observed':
      return observed(now, seen, at, rules);
    case 'quiet':
      return quiet(now, seen, rules, moment);
    case 'ordered':
      return ordered(now, seen, at, rules);
    case 'archiving':
      return archiving(now, seen, at, rules);
    case 'asking':
      return asking(now, seen, rules, moment);
    case 'writing':
      return writing(now, seen, at, rules);
    case 'fallback':
      return fallback(now, seen, at, rules);
    case 'committing':
      return committing(now, seen, at, rules);
    case 'awaiting_commit':
      return awaitingCommit(now, seen, rules, moment);
    case 'committed':
      return committed(now, seen, at, rules);
    case 'clearing':
      return clearing(now, seen, rules, moment);
    case 'resuming':
      return resuming(now, seen, rules, moment);
    case 'settling':
      return settling(now, seen, at, rules);
    default: {
      const missed: never = now;
      return missed;
    }
  }
}

function blind(now: Working, at: number, rules: Rules): Decision {
  if (now.blindMs < rules.limits.blindMs) return stay(now);
  return end(now.handoff, 'blind', `nothing could be seen of it while "${now.name}"`, at);
}

// Compaction is held off, so one that happened anyway is worth a note; it also explains a shorter document.
function watchful(now: Working, seen: Seen): Working {
  const { handoff } = now;
  if (seen.sessionId !== handoff.sessionId) return now;
  if (handoff.compactions === seen.compactions) return now;
  const happened = handoff.compactions !== null && seen.compactions > handoff.compactions;
  const told = happened ? noted(handoff, 'Claude Code compacted the context during the handoff') : handoff;
  return { ...now, handoff: { ...told, compactions: seen.compactions } };
}

const writes = ['archiving', 'fallback', 'committing'];
const afterClear = ['resuming', 'settling'];

// What ends or stops every step alike: no pane, no lease, another session than the one this is about.
function guard(now: Working, seen: Seen, at: number): Decision | null {
  const { handoff } = now;
  if (seen.pane === 'gone') {
    if (writes.includes(now.name)) return null;
    if (handoff.author === null && handoff.sessionAfter === null)
      return toFallback({ ...handoff, reason: 'error recovery' }, 'Claude Code ended before it could write', seen, at);
    return end(handoff, 'agent_gone', `it went while "${now.name}"`, at);
  }
  if (now.name === 'observed') return null;
  if (seen.lease === 'other') return end(handoff, 'lease_lost', `it was taken while "${now.name}"`, at);
  // Its holder was dead for a while, or tmux forgot: it is free, so it is ours again.
  if (seen.lease === 'free') return now.waitedMs === 0 ? stay(now) : go({ ...now, waitedMs: 0 }, { do: 'hold' });
  const expected = afterClear.includes(now.name) ? handoff.sessionAfter : handoff.sessionId;
  if (seen.sessionId === null || seen.sessionId === expected || now.name === 'clearing') return null;
  return end(handoff, 'session_changed', `session ${seen.sessionId} is there while "${now.name}"`, at);
}

const MOST_WIPES = 3;

// A process of Baton died while it typed. Nobody would ever send or remove it: the cycle would wait for ever.
function wipe(now: Working, seen: Seen, rules: Rules): Decision | null {
  const { handoff } = now;
  if (seen.box !== 'leftover' || !isCalm(seen, isHard(seen, handoff, rules))) return null;
  if (handoff.wipes >= MOST_WIPES) return null;
  return go({ ...now, handoff: { ...handoff, wipes: handoff.wipes + 1 } }, { do: 'wipe' });
}

type At<N extends HandoffState['name']> = Extract<HandoffState, { name: N }>;
const MOST_HOLDS = 5;

function observed(now: At<'observed'>, seen: Seen, at: number, rules: Rules): Decision {
  const { handoff } = now;
  if (seen.sessionId !== null && seen.sessionId !== handoff.sessionId)
    return end(handoff, 'session_changed', 'it changed before the lease was taken', at);
  if (seen.lease === 'ours') return go({ name: 'quiet', isHard: false, interrupts: 0, ...waiting(handoff, at) });
  const again = now.tries === 0 || now.waitedMs >= rules.limits.settleMs;
  if (seen.lease === 'free' && again) {
    if (now.tries >= MOST_HOLDS) return end(handoff, 'lease_lost', 'the lease could not be taken', at);
    return go({ ...now, tries: now.tries + 1, waitedMs: 0 }, { do: 'hold' });
  }
  if (now.waitedMs >= rules.limits.alertMs) return end(handoff, 'lease_lost', 'another process keeps the lease', at);
  return stay(now);
}

const MOST_INTERRUPTS = 2;

function quiet(now: At<'quiet'>, seen: Seen, rules: Rules, { at, hasRoom }: Moment): Decision {
  if (!hasRoom) return patient(now, NO_ROOM, rules);
  const hard = isHard(seen, now.handoff, rules);
  const { handoff } = now;
  const calm = isQuiet(seen, hard);
  if (calm && seen.contract === 'met') return end(handoff, 'finished', 'its result and all its outputs are there', at);
  if (seen.isFull) return toFallback(handoff, 'its context is full: it takes no prompt any more', seen, at);
  if (calm) {
    const known = proven({ ...handoff, documentBefore: seen.document?.hash ?? null }, 'quiet', at);
    if (rules.lastTokens !== null && (seen.tokens ?? 0) >= rules.lastTokens)
      return toFallback(known, `at ${seen.tokens} tokens there is no room left for it to write`, seen, at);
    return ask('handoff', known, seen, at, rules, []);
  }
  if (!hard) return patient(now, `not quiet (${seen.blockers.join(', ') || `box ${seen.box}`})`, rules);
  if (seen.canOrder && !seen.blockers.includes('dialog'))
    return order({ ...handoff, documentBefore: seen.document?.hash ?? null }, seen, at, rules);
  if (rules.interruptTurns && mayInterrupt(seen) && now.interrupts < MOST_INTERRUPTS) {
    if (now.waitedMs < rules.limits.orderMs) return stay(now);
    const next = { ...now, interrupts: now.interrupts + 1, waitedMs: 0 };
    return go(next, { do: 'interrupt', sessionId: handoff.sessionId });
  }
  return patient(now, `over the hard threshold and not quiet (${seen.blockers.join(', ')})`, rules);
}
