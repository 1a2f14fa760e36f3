// A /clear that came into force after its handoff had given up on it ("clear_unproven"): the agent is cleared, and
// nobody has told it to go on. The same handoff is taken up again where it stopped, from its own journal.

import { rename } from 'node:fs/promises';
import type { SessionEar } from '../src/claude/session-ear.ts';
import { idLine } from '../src/handoff/handoff-prompts.ts';
import type { HandoffState, Rules } from '../src/handoff/handoff-types.ts';
import { toResume } from '../src/handoff/step-clear.ts';
import { noted, proven } from '../src/handoff/turns.ts';
import type { HandoffRecord } from '../src/protocol/handoff.ts';
import { openJournal } from './journal.ts';

// A person who was alerted may press the missing Enter; who clears it hours later has something else in mind.
const LATE_MS = 60 * 60_000;

export type Unproven = { id: string; sessionId: string; until: number };

export const unprovenAt = (id: string, sessionId: string, endedAt: number): Unproven => ({
  id,
  sessionId,
  until: endedAt + LATE_MS,
});

// After a restart. Names of panes come again: it is this pane's when its session is, or was, asked for that handoff.
export function unprovenIn(records: readonly HandoffRecord[], pane: string, ear: SessionEar): Unproven | null {
  const last = records
    .filter(record => record.pane === pane)
    .toSorted((a, b) => (a.ended_at < b.ended_at ? -1 : 1))
    .at(-1);
  if (last?.outcome !== 'clear_unproven') return null;
  const isThis = ear.state().sessionId === last.session_before || ear.took(idLine(last.id));
  return isThis ? unprovenAt(last.id, last.session_before, Date.parse(last.ended_at)) : null;
}

// Cleared, and nobody has said anything to the fresh session yet.
export function isCleared({ sessionId, until }: Unproven, ear: SessionEar, now: number): boolean {
  const heard = ear.state();
  const isOther = heard.sessionId !== null && heard.sessionId !== sessionId && heard.endedBy === null;
  return now < until && isOther && heard.source === 'clear' && ear.turns().length === 0;
}

// From here on it is a handoff that a restart goes on with, as any other.
export async function takeUpAgain(
  files: { done: string; journal: string },
  sessionAfter: string,
  rules: Rules,
): Promise<boolean> {
  const last = (await openJournal(files.done).read()).at(-1);
  const was = last?.state as unknown as HandoffState | undefined;
  if (last === undefined || was?.name !== 'ended') return false;
  const at = Date.now();
  const told = noted(was.handoff, 'the session was cleared only after the handoff had given up on it');
  const { next } = toResume(proven({ ...told, sessionAfter }, 'cleared', at), at, rules);
  await rename(files.done, files.journal);
  const entry = { version: 1 as const, n: last.n + 1, at, kind: 'step' as const, effects: [], outcome: null };
  await openJournal(files.journal).append({ ...entry, state: next });
  return true;
}
