// Steps 8, 9 and 10: /clear, only while the commit is proven and never twice; the fresh session told to go on; its
// first reading. Pure.

import { resumePrompt } from './handoff-prompts.ts';
import type { Decision, Handoff, HandoffState, Moment, Rules, Seen } from './handoff-types.ts';
import { ask, inFlight, toFallback } from './step-ask.ts';
import { changedBadly, MOST_UPDATES, toCommit } from './step-commit.ts';
import { end, go, isCalm, isHard, isQuiet, isValid, patient, proven, stay, waiting } from './turns.ts';

type At<N extends HandoffState['name']> = Extract<HandoffState, { name: N }>;

const MOST_CLEARS = 20;
const MOST_SUBMITS = 2;
const MOST_MESSAGES = 30;

export function committed(now: At<'committed'>, seen: Seen, at: number, rules: Rules): Decision {
  const { handoff } = now;
  if (seen.commit === null) return commitLost(handoff, seen, at, rules);
  const quiet = isQuiet(seen, isHard(seen, handoff, rules));
  if (quiet && seen.contract === 'met') return end(handoff, 'finished', 'it finished its work meanwhile', at);
  if (!quiet || seen.sessionId !== handoff.sessionId) {
    if (now.waitedMs >= rules.limits.clearWaitMs)
      return end(handoff, 'not_cleared', `not quiet (${seen.blockers.join(', ') || seen.box})`, at);
    return patient(now, `committed, but not quiet (${seen.blockers.join(', ') || seen.box})`, rules);
  }
  // Work after the document was written is not in it: /clear would lose it.
  if (seen.otherPrompts !== handoff.otherPrompts) return bringUpToDate(handoff, seen, at, rules);
  if (handoff.clears >= MOST_CLEARS)
    return end(handoff, 'not_cleared', `/clear was refused ${handoff.clears} times`, at);
  const known = { ...handoff, clears: handoff.clears + 1, commit: seen.commit };
  const { id, sessionId } = handoff;
  return go(
    { name: 'clearing', submits: 0, ...waiting(known, at) },
    { do: 'clear', id, sessionId, commit: seen.commit.sha },
  );
}

function commitLost(handoff: Handoff, seen: Seen, at: number, rules: Rules): Decision {
  if (!isValid(seen.document)) return changedBadly(handoff, seen, at);
  if (handoff.updates >= MOST_UPDATES) return end(handoff, 'commit_failed', 'its commit keeps getting lost', at);
  return toCommit({ ...handoff, updates: handoff.updates + 1, commit: null }, seen, at, rules);
}

function bringUpToDate(handoff: Handoff, seen: Seen, at: number, rules: Rules): Decision {
  if (handoff.updates >= MOST_UPDATES)
    return end(handoff, 'not_cleared', 'somebody goes on working in this session', at);
  const known = { ...handoff, updates: handoff.updates + 1, documentBefore: seen.document?.hash ?? null };
  if (handoff.author === 'watchdog') return toFallback(known, 'there was more work after it was written', seen, at);
  return ask('update', { ...known, corrections: 0 }, seen, at, rules, []);
}

// It is typed by one deed and sent by another: with no submit written down, no Enter was ever pressed.
export function clearing(now: At<'clearing'>, seen: Seen, rules: Rules, { at, outcome }: Moment): Decision {
  const { handoff } = now;
  if (seen.sessionId !== null && seen.sessionId !== handoff.sessionId) {
    if (!seen.isCleared)
      return end(handoff, 'session_changed', `session ${seen.sessionId} is there, and no /clear began it`, at);
    return toResume(proven({ ...handoff, sessionAfter: seen.sessionId }, 'cleared', at), at, rules);
  }
  const isSettled = now.waitedMs >= rules.limits.settleMs;
  const isSame = seen.sessionId === handoff.sessionId && seen.said === 'no';
  const isCalmNow = isCalm(seen, isHard(seen, handoff, rules));
  if (seen.box === 'ours' && isCalmNow && seen.commit !== null && isSame) {
    // Where it still stands, the Enter before was lost.
    if (now.submits >= MOST_SUBMITS || (now.submits > 0 && !isSettled)) return lateClear(now, at, rules);
    const { sessionId, id } = handoff;
    const commit = seen.commit.sha;
    const mark = `${id}/clear`;
    return go({ ...now, submits: now.submits + 1, waitedMs: 0 }, { do: 'submit', mark, sessionId, commit });
  }
  // No Enter was ever pressed: none was meant, or the only one provably was not.
  if (outcome?.did === 'nothing' ? now.submits <= 1 : now.submits === 0 && isSettled)
    return go({ name: 'committed', ...waiting(handoff, at) });
  return lateClear(now, at, rules);
}

function lateClear(now: At<'clearing'>, at: number, rules: Rules): Decision {
  if (now.waitedMs < rules.limits.clearMs) return stay(now);
  return end(
    now.handoff,
    'clear_unproven',
    'the session is still the one before; look whether /clear stands in its box',
    at,
  );
}

export function toResume(handoff: Handoff, at: number, rules: Rules): Decision {
  const mark = `${handoff.id}/${handoff.messages + 1}`;
  const known = { ...handoff, messages: handoff.messages + 1 };
  const text = resumePrompt(known, mark, rules);
  // Not said in this look: it was made for the session before, so what it tells of prompts is not this one's.
  return stay({ name: 'resuming', text, mark, tries: 0, submits: 0, ...waiting(known, at) });
}

export function resuming(now: At<'resuming'>, seen: Seen, rules: Rules, { at, outcome }: Moment): Decision {
  const { handoff, mark } = now;
  if (seen.said === 'open' || seen.said === 'ended') return go({ name: 'settling', mark, ...waiting(handoff, at) });
  if (seen.isFull || outcome?.did === 'full') return end(handoff, 'futile', 'the fresh session is full at once', at);
  const sent = inFlight(now, seen, rules, outcome, handoff.sessionAfter ?? '');
  if (sent !== null) return sent;
  if (now.waitedMs >= rules.limits.resumeMs)
    return end(handoff, 'resume_blocked', `tell it yourself: read ${rules.documentPath} and go on`, at);
  return patient(now, `the fresh session cannot be told to go on (${seen.blockers.join(', ') || seen.box})`, rules);
}

export function settling(now: At<'settling'>, seen: Seen, at: number, rules: Rules): Decision {
  const { handoff } = now;
  if (seen.isFull) return end(handoff, 'futile', 'the fresh session is full at once', at);
  if (seen.tokens !== null) {
    const known = proven({ ...handoff, tokensAfter: seen.tokens }, 'resumed', at);
    if (seen.tokens >= rules.threshold)
      return end(
        known,
        'futile',
        `it begins with ${seen.tokens} tokens, at a threshold of ${rules.threshold}: its CLAUDE.md, tools or document are too large`,
        at,
      );
    return end(known, 'closed', 'resumed with a low reading', at);
  }
  const isDue = now.waitedMs >= rules.limits.troubleMs && at >= (seen.trouble?.until ?? at);
  if (seen.trouble !== null && seen.said === 'ended' && isDue && handoff.messages < MOST_MESSAGES)
    return toResume(handoff, at, rules);
  if (now.waitedMs >= rules.limits.resumeMs)
    return end(
      { ...handoff, notes: [...handoff.notes, 'no reading of the fresh session came'] },
      seen.trouble === null ? 'closed' : 'resume_blocked',
      seen.trouble?.why ?? 'resumed; how full it is could not be read',
      at,
    );
  return stay(now);
}
