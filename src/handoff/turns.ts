// The small moves between states, and what "quiet" means. Pure.

import type { HandoffEnd, HandoffRecord, HandoffStep } from '../protocol/handoff.ts';
import { handoffEnds } from '../protocol/handoff.ts';
import type {
  Decision,
  Effect,
  Handoff,
  HandoffState,
  Limits,
  Rules,
  Seen,
  SeenDocument,
  Working,
} from './handoff-types.ts';

export const stay = (next: HandoffState): Decision => ({ next, effects: [] });
export const go = (next: HandoffState, ...effects: Effect[]): Decision => ({ next, effects });

export const waiting = (handoff: Handoff, at: number) => ({
  handoff,
  lastAt: at,
  waitedMs: 0,
  blindMs: 0,
  alerted: false,
});

// A suspended machine or a jump of the clock is forgiven: one look adds at most maxGapMs, and never less than none.
export function pass<S extends Working>(state: S, at: number, isBlind: boolean, limits: Limits): S {
  const gap = Math.max(0, Math.min(at - state.lastAt, limits.maxGapMs));
  return isBlind
    ? { ...state, lastAt: at, blindMs: state.blindMs + gap }
    : { ...state, lastAt: at, blindMs: 0, waitedMs: state.waitedMs + gap };
}

// The agent is asked, or goes on: that is what an account feels. Waiting for a quiet pane or a person's commit is not.
export const isAtWork = ({ name }: HandoffState): boolean =>
  !['observed', 'quiet', 'awaiting_commit', 'ended'].includes(name);

export const NO_ROOM = 'max_concurrent_handoffs are at work already';

const LONG_MS = 30_000;

// Signs of the session end a wait early; what waits for long is looked at less often, and less than maxGapMs apart.
export const pollOf = (state: HandoffState, { pollMs, maxGapMs }: Limits): number =>
  'waitedMs' in state && state.waitedMs >= LONG_MS ? Math.max(pollMs, Math.min(5 * pollMs, maxGapMs / 2)) : pollMs;

export const proven = (handoff: Handoff, step: HandoffStep, at: number): Handoff => ({
  ...handoff,
  steps: { ...handoff.steps, [step]: handoff.steps[step] ?? at },
});

export const noted = (handoff: Handoff, note: string): Handoff =>
  handoff.notes.includes(note) ? handoff : { ...handoff, notes: [...handoff.notes, note] };

export const isHard = (seen: Seen, handoff: Handoff, rules: Rules): boolean =>
  (seen.tokens ?? handoff.tokensBefore ?? 0) >= rules.hardThreshold;

// Nothing may be typed unless this holds: past the hard threshold a background task no longer counts.
export const isCalm = (seen: Seen, hard: boolean): boolean =>
  seen.pane === 'here' &&
  seen.lease === 'ours' &&
  seen.blockers.every(blocker => hard && blocker === 'background') &&
  seen.box !== 'unknown';

export const isQuiet = (seen: Seen, hard: boolean): boolean => isCalm(seen, hard) && seen.box === 'empty';

// Also after it was accepted: people and agents may write at any time.
export const isValid = (document: SeenDocument | null): boolean =>
  document?.hasId === true && document.problems.length === 0;

// In no commit and not of this handoff's own making: it goes to the archive before anything is written over it.
export const mustBeKept = ({ isSaved, isTemplate, isWatchdogs, hasId }: SeenDocument): boolean =>
  !isSaved && !isTemplate && !(isWatchdogs && hasId);

// What belongs into its commit.
export const filesOf = ({ archived, unfit = [] }: Handoff, { documentPath }: Pick<Rules, 'documentPath'>): string[] => [
  documentPath,
  ...archived.filter(file => !unfit.includes(file)),
];

// Esc on a dialog answers it, on a draft it may clear it.
export const mayInterrupt = (seen: Seen): boolean =>
  seen.box === 'empty' &&
  seen.blockers.includes('turn_open') &&
  seen.blockers.every(blocker => ['turn_open', 'busy', 'background'].includes(blocker));

// A wait without a limit is told once.
export function patient(state: Working, what: string, rules: Rules): Decision {
  if (state.alerted || state.waitedMs < rules.limits.alertMs) return stay(state);
  const { id, pane } = state.handoff;
  const text = `the handoff of ${pane} waits: ${what}`;
  return go({ ...state, alerted: true }, { do: 'alert', key: `${id}/${state.name}`, text });
}

export function end(handoff: Handoff, how: HandoffEnd, why: string, at: number): Decision {
  const closed = how === 'closed' ? proven(handoff, 'closed', at) : handoff;
  const isCalmEnd = how === 'closed' || how === 'finished';
  const text = `the handoff of ${handoff.pane} ended as "${how}" (${handoffEnds[how]}): ${why}`;
  return go(
    { name: 'ended', how, why, handoff: closed, endedAt: at },
    ...(isCalmEnd ? [] : [{ do: 'alert', key: `${handoff.id}/${how}`, text } as const]),
    { do: 'record', record: recordOf(closed, how, why, at) },
    { do: 'release' },
  );
}

function recordOf(handoff: Handoff, outcome: HandoffEnd, why: string, at: number): HandoffRecord {
  const iso = (ms: number) => new Date(ms).toISOString();
  const steps = Object.fromEntries(Object.entries(handoff.steps).map(([step, ms]) => [step, iso(ms)]));
  return {
    version: 1,
    id: handoff.id,
    pane: handoff.pane,
    reason: handoff.reason,
    outcome,
    why,
    started_at: iso(handoff.startedAt),
    ended_at: iso(at),
    steps,
    session_before: handoff.sessionId,
    session_after: handoff.sessionAfter,
    tokens_before: handoff.tokensBefore,
    tokens_after: handoff.tokensAfter,
    written_by: handoff.author,
    commit: handoff.commit,
    archived: handoff.archived,
    notes: handoff.notes,
  };
}
