// What the lines of a transcript tell of the turns of its session, folded as the receipts of hooks are. Pure.

import { type Heard, heardNothing } from '../conversation/heard.ts';
import { lastMessages, type TranscriptRecord, turnOf } from '../receipts/transcript-facts.ts';
import type { Turn } from './session-ear.ts';

// `isFollowed`: something came back; a prompt that Claude Code refused by itself is followed by nothing.
export type ReadTurn = Turn & { isOrder: boolean; isFollowed: boolean };
export type ReadSession = { heard: Heard; turns: readonly ReadTurn[]; signs: number };

export const beginSession = (sessionId: string, before: Heard | null, at: number): ReadSession => ({
  heard: {
    ...heardNothing(at),
    sessionId,
    // No figure in its own transcript is older than itself.
    sessionSince: 0,
    source: before === null ? 'startup' : 'clear',
    compactions: before?.compactions ?? 0,
  },
  turns: [],
  signs: 0,
});

export function hearLine(session: ReadSession, record: TranscriptRecord, at: number): ReadSession {
  const heard = { ...session.heard, lastSignAt: at };
  // The summary that follows this line is neither a prompt nor another compaction.
  if (record.type === 'system' && record.subtype === 'compact_boundary')
    return { ...session, heard: { ...heard, sessionSince: at, compactions: heard.compactions + 1 } };
  const [message] = lastMessages([record], 1);
  if (message?.role === 'user') {
    const before = session.turns.map(turn => ({ ...turn, isEnded: true }));
    const turn: ReadTurn = { prompt: message.text, isOrder: false, isEnded: false, isFollowed: false };
    return { ...session, turns: [...before, turn], heard: { ...heard, isOpen: true, lastEnd: null } };
  }
  const said = turnOf([record]);
  if (said === 'unknown') return session;
  const last = session.turns.at(-1);
  const isEnded = said === 'ended';
  const turns = last === undefined ? [] : [...session.turns.slice(0, -1), { ...last, isEnded, isFollowed: true }];
  const end =
    record.isApiErrorMessage === true
      ? ({ kind: 'failure', error: 'unknown', at } as const)
      : ({ kind: 'stop', at } as const);
  // The line after the last answer says the same once more: what ended badly stays so.
  const lastEnd = isEnded ? (heard.lastEnd ?? end) : null;
  return { turns, signs: session.signs + 1, heard: { ...heard, isOpen: !isEnded, lastEnd } };
}
