// Steps 2 and 3: from quiet to a handoff prompt that the session has provably taken, and the way to the
// fallback for an agent that cannot take it. Also the one rule for every prompt in flight. Pure.

import { archiveName } from './archive-names.ts';
import { askPrompt } from './handoff-prompts.ts';
import type {
  Archive,
  Decision,
  DocumentProblem,
  Effect,
  Handoff,
  HandoffState,
  Moment,
  Outcome,
  Purpose,
  Rules,
  Seen,
} from './handoff-types.ts';
import {
  go,
  isCalm,
  isHard,
  isQuiet,
  mayInterrupt,
  mustBeKept,
  noted,
  patient,
  proven,
  stay,
  waiting,
} from './turns.ts';

type At<N extends HandoffState['name']> = Extract<HandoffState, { name: N }>;

const MOST_INTERRUPTS = 2;

// Says it now if the pane is quiet, else as soon as it is.
export function ask(
  purpose: Purpose,
  handoff: Handoff,
  seen: Seen,
  at: number,
  rules: Rules,
  problems: readonly DocumentProblem[],
): Decision {
  if (purpose === 'handoff' && mustMove(seen, rules)) return archive(handoff, { next: 'ask', why: '' }, seen, at);
  const mark = `${handoff.id}/${handoff.messages + 1}`;
  const known = { ...handoff, messages: handoff.messages + 1 };
  const text = askPrompt(purpose, known, mark, rules, problems);
  const next: At<'asking'> = { name: 'asking', purpose, text, mark, tries: 0, submits: 0, ...waiting(known, at) };
  return inFlight(next, seen, rules, null, handoff.sessionId) ?? stay(next);
}

// Measured before anything is asked. Who writes anew over a conflict chooses; both sides are kept where they stay.
function mustMove({ document }: Seen, rules: Rules): boolean {
  if (document === null || document.isTemplate) return false;
  return document.lines > rules.sizeThreshold || document.flagged !== undefined;
}

// The same words, through a hook.
export function order(handoff: Handoff, seen: Seen, at: number, rules: Rules): Decision {
  if (mustMove(seen, rules)) return archive(handoff, { next: 'order', why: '' }, seen, at);
  const mark = `${handoff.id}/${handoff.messages + 1}`;
  const known = { ...handoff, messages: handoff.messages + 1 };
  return ordered({ name: 'ordered', mark, interrupts: -1, ...waiting(known, at) }, seen, at, rules);
}

// A prompt on its way. Typed again only when the session was searched and does not have it, the box is empty, and
// what was sent before has had its time to show. Null: nothing to do but to wait.
export function inFlight(
  now: At<'asking'> | At<'resuming'>,
  seen: Seen,
  rules: Rules,
  outcome: Outcome | null,
  sessionId: string,
): Decision | null {
  // A cleared session is told to go on whatever runs behind it: its own background task may be what it waits for.
  const hard = now.name === 'resuming' || isHard(seen, now.handoff, rules);
  if (seen.said !== 'no' || seen.sessionId !== sessionId) return null;
  const isSettled = now.tries === 0 || now.waitedMs >= rules.limits.settleMs;
  const { mark, text } = now;
  // As long as nothing was typed, what stands there is not ours, whatever it looks like.
  if (seen.box === 'ours' && now.tries > 0 && isCalm(seen, hard)) {
    const first = now.submits === 0 && outcome?.did !== 'done';
    if (!first && !isSettled) return null;
    if (now.submits >= MOST_SUBMITS) return null;
    return go({ ...now, submits: now.submits + 1, waitedMs: 0 }, { do: 'submit', mark, sessionId, commit: null });
  }
  if (!isSettled || !isQuiet(seen, hard) || now.tries >= MOST_TRIES[now.name]) return null;
  // Taken now, while nothing runs: whatever others say from here on is not in the document.
  const handoff = { ...now.handoff, otherPrompts: seen.otherPrompts };
  return go({ ...now, handoff, tries: now.tries + 1, waitedMs: 0 }, { do: 'say', mark, text, sessionId });
}

// A cleared agent that is not told to go on would stand still: there is no fallback for that prompt.
const MOST_TRIES = { asking: 5, resuming: 50 };
const MOST_SUBMITS = 2;

export function asking(now: At<'asking'>, seen: Seen, rules: Rules, { at, outcome }: Moment): Decision {
  const { handoff, mark, purpose } = now;
  if (seen.said === 'open' || seen.said === 'ended')
    return go({ name: 'writing', mark, purpose, ...waiting(proven(handoff, 'asked', at), at) });
  if (seen.isFull || outcome?.did === 'full')
    return toFallback(handoff, 'its context is full: it takes no prompt any more', seen, at);
  const sent = inFlight(now, seen, rules, outcome, handoff.sessionId);
  if (sent !== null) return sent;
  const isSpent = now.tries >= MOST_TRIES.asking || now.submits >= MOST_SUBMITS;
  if (isSpent && now.waitedMs >= rules.limits.saidMs)
    return toFallback(handoff, `the ${purpose} prompt was sent ${now.tries} times and never taken`, seen, at);
  if (seen.said === 'unknown' && now.waitedMs >= rules.limits.writeMs)
    return toFallback(handoff, 'whether it took the prompt cannot be told', seen, at);
  return patient(now, `the ${purpose} prompt cannot be delivered (${seen.blockers.join(', ') || seen.box})`, rules);
}

// Asked through a hook while it works: no key is used. The order keeps its mark when keys are used after all.
export function ordered(now: At<'ordered'>, seen: Seen, at: number, rules: Rules): Decision {
  const { handoff, mark } = now;
  const text = askPrompt('handoff', handoff, mark, rules, []);
  if (now.interrupts < 0) {
    const known = { ...handoff, otherPrompts: seen.otherPrompts };
    return go({ ...now, handoff: known, interrupts: 0 }, { do: 'order', mark, text });
  }
  if (seen.said === 'open' || seen.said === 'ended')
    return go({ name: 'writing', mark, purpose: 'handoff', ...waiting(proven(handoff, 'asked', at), at) });
  if (seen.isFull) return toFallback(handoff, 'its context is full: it takes no prompt any more', seen, at);
  const isDue = now.waitedMs >= rules.limits.settleMs;
  if (isDue && isQuiet(seen, true) && seen.said === 'no') {
    const next: At<'asking'> = {
      name: 'asking',
      purpose: 'handoff',
      text,
      mark,
      tries: 0,
      submits: 0,
      ...waiting(proven(handoff, 'quiet', at), at),
    };
    return inFlight(next, seen, rules, null, handoff.sessionId) ?? stay(next);
  }
  const mayEsc = rules.interruptTurns && now.interrupts < MOST_INTERRUPTS && mayInterrupt(seen);
  if (mayEsc && now.waitedMs >= rules.limits.orderMs)
    return go(
      { ...now, interrupts: now.interrupts + 1, waitedMs: 0 },
      { do: 'interrupt', sessionId: handoff.sessionId },
    );
  return patient(now, 'it is over the hard threshold and has not taken the order yet', rules);
}

// The watchdog writes. What lies there and is in no commit is kept in the archive first: no byte is lost.
export function toFallback(handoff: Handoff, why: string, seen: Seen, at: number): Decision {
  const { document } = seen;
  if (document !== null && mustBeKept(document)) return archive(handoff, { next: 'fallback', why }, seen, at);
  return writeFallback(handoff, why, 1, seen, at);
}

export function writeFallback(handoff: Handoff, why: string, tries: number, seen: Seen, at: number): Decision {
  const over = seen.document?.hash ?? null;
  const { id, reason } = handoff;
  const effect: Effect = { do: 'write_fallback', id, reason, why, over };
  const known = { ...handoff, otherPrompts: seen.otherPrompts };
  return go({ name: 'fallback', why, over, tries, ...waiting(known, at) }, effect);
}

type Then = Pick<At<'archiving'>, 'next' | 'why'>;

export function archive(handoff: Handoff, o: Then, seen: Seen, at: number, tries = 1): Decision {
  const { hash = '', flagged, unfit = null } = seen.document ?? {};
  const to = archiveName(at, seen.archiveNames, handoff.places?.archiveStem);
  const planned: Archive = flagged === undefined ? { to, hash, unfit } : { to, hash: flagged, of: hash, unfit };
  const note = `the document held a merge conflict: both sides are kept, flagged, in ${to}`;
  const known = flagged === undefined ? handoff : noted(handoff, note);
  return go(
    { name: 'archiving', archive: planned, tries, ...o, ...waiting(known, at) },
    { do: 'archive', archive: planned },
  );
}
