// What the hooks of one pane have told so far, folded. Hints, not truth: Esc, a local refusal and a crash
// fire no hook, so an open turn may have ended long ago; the screen has to agree.

import type { Receipt } from '../protocol/receipt.ts';

export type TurnEnd = { kind: 'stop'; at: number } | { kind: 'failure'; error: string; at: number };

export type Heard = {
  sessionId: string | null; // the present session
  sessionSince: number; // no figure older than this says anything about it
  source: string | null; // how it began: startup, resume, clear
  isOpen: boolean; // a prompt was submitted and no end was told
  lastEnd: TurnEnd | null; // of the last turn; null while one is open
  compactions: number; // that were not held back
  endedBy: string | null; // SessionEnd, but for /clear
  lastSignAt: number;
};

export const heardNothing = (at: number): Heard => ({
  sessionId: null,
  sessionSince: at,
  source: null,
  isOpen: false,
  lastEnd: null,
  compactions: 0,
  endedBy: null,
  lastSignAt: at,
});

export function hear(heard: Heard, receipt: Receipt, at: number): Heard {
  // A subagent's end (a compaction is one) is no end of the turn.
  if (receipt.agent_id !== null) return { ...heard, lastSignAt: at };
  // A session that took its hooks up while it ran has no SessionStart: its first word introduces it.
  const isIntroduced = heard.sessionId !== null || receipt.event === 'SessionEnd';
  const introduced = isIntroduced ? {} : { sessionId: receipt.session_id, sessionSince: at };
  const next = { ...heard, lastSignAt: at, ...introduced };
  switch (receipt.event) {
    case 'SessionStart': {
      // A compaction happens in the middle of a turn; any other start, a resumed conversation too, has none open.
      const { source } = receipt;
      const begun = source === 'compact' ? {} : { isOpen: false, lastEnd: null, endedBy: null, source };
      return { ...next, ...begun, sessionId: receipt.session_id, sessionSince: at };
    }
    case 'SessionEnd':
      if (receipt.session_id !== heard.sessionId) return next; // of another one, that was in the pane for a while
      return { ...next, isOpen: false, endedBy: receipt.reason === 'clear' ? null : (receipt.reason ?? 'other') };
    case 'UserPromptSubmit':
      return { ...next, isOpen: true, lastEnd: null };
    case 'Stop':
      // An order came in at its end: the same turn goes on.
      if (receipt.ordered) return { ...next, isOpen: true, lastEnd: null };
      return { ...next, isOpen: false, lastEnd: { kind: 'stop', at } };
    case 'StopFailure':
      return { ...next, isOpen: false, lastEnd: { kind: 'failure', error: receipt.error ?? 'unknown', at } };
    case 'PreCompact':
      return receipt.blocked ? next : { ...next, compactions: heard.compactions + 1 };
    default:
      return next;
  }
}
