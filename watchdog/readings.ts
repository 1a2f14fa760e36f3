// What is known of a pane's context just now: the pushed record and the transcript's own usage, each only as far
// as it speaks of the present session.

import { lstatSync } from 'node:fs';
import type { SessionEar } from '../src/claude/session-ear.ts';
import type { Reading } from '../src/handoff/observe.ts';
import { readContext } from '../src/receipts/context-reading.ts';
import { readStatusRecord, type StatusRecord } from '../src/receipts/read-status-record.ts';
import { readLastUsage } from '../src/receipts/read-transcript.ts';
import type { Usage } from '../src/receipts/transcript-facts.ts';
import { readScreen } from '../src/screen/read-screen.ts';
import { openPane } from '../src/tmux/pane-door.ts';
import { estimateOf } from './estimate.ts';
import type { WatchedPane } from './watched-pane.ts';

export type Readings = {
  record: StatusRecord | null;
  usage: Usage | null;
  shown: number | null; // on the screen of a pane without hooks, if its owner's status line tells it
  tokens: number | null;
  window: number | null;
  estimate: Reading | null; // where none of these is known
};

// The status line is run up to 0.3 s after a reply; called meanwhile for another reason it tells the figure before.
const SETTLES_MS = 1500;
const AGREE = 1.25;
const FRESH_MS = 10_000;

export async function readingsOf({ pane, ear }: { pane: WatchedPane; ear: SessionEar }): Promise<Readings> {
  const { sessionId, sessionSince, endedBy } = ear.state();
  const hasEnded = endedBy != null;
  const written = pane.channel === null ? null : await readStatusRecord(pane.channel.record).catch(() => null);
  const window = written?.window ?? null; // of the model, whatever the session
  const nothing = { record: null, usage: null, shown: null, tokens: null, window };
  if (sessionId === null) {
    const from = { sessionId, hasEnded, written, record: null, usage: null, transcriptBytes: null };
    return { ...nothing, estimate: estimateOf(from, Date.now()) };
  }
  const file = ear.transcript();
  const last = file === null ? null : await readLastUsage(file).catch(() => null);
  const usage = last?.session_id === sessionId ? last : null;
  const transcriptBytes = file === null || usage !== null ? null : sizeOf(file);
  const isUnread = usage === null && transcriptBytes === null;
  const record = counts(written, usage, { sessionId, sessionSince, isUnread }) ? written : null;
  const estimate = estimateOf({ sessionId, hasEnded, written, record, usage, transcriptBytes }, Date.now());
  // A figure of before /clear stays on the screen for a moment: it counts once this session has a reply.
  const shown = pane.channel === null && usage !== null ? await shownIn(pane) : null;
  const tokens = record === null ? (usage?.tokens ?? null) : record.tokens;
  return { record, usage, shown, tokens, window, estimate };
}

function sizeOf(file: string): number | null {
  try {
    return lstatSync(file).size;
  } catch {
    return null;
  }
}

async function shownIn({ identity }: WatchedPane): Promise<number | null> {
  const view = await openPane(identity)
    .look()
    .catch(() => null);
  return view === null ? null : (readScreen(view.text, view).context?.tokens ?? null);
}

// For a moment after /clear the status line tells the new session's id with the old session's figure (seen with the
// classic renderer): a record counts once the transcript, which is the new session's own, holds a reply. Where there
// is no transcript to be read, it counts if it is clearly younger than the session.
export function counts(
  record: StatusRecord | null,
  usage: Usage | null,
  of: { sessionId: string; sessionSince: number; isUnread: boolean },
): boolean {
  if (record === null || record.session_id !== of.sessionId) return false;
  if (record.tokens === null) return true;
  if (usage === null && of.isUnread) return record.read_at >= of.sessionSince + FRESH_MS;
  if (usage === null || usage.time === null) return false;
  return record.read_at >= usage.time + SETTLES_MS || record.tokens <= usage.tokens * AGREE;
}

// One figure alone must neither end a turn by Esc nor call a fresh session full: where both sources speak, they agree.
export const contradict = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.max(a, b) > Math.min(a, b) * AGREE;

export async function tokensNow(of: { pane: WatchedPane; ear: SessionEar }, now: number): Promise<number | null> {
  const { sessionId, sessionSince } = of.ear.state();
  if (sessionId === null) return null;
  const { record, usage } = await readingsOf(of);
  if (contradict(record?.tokens ?? null, usage?.tokens ?? null)) return null;
  const sources = { record, screen: null, transcript: usage, estimate: null };
  return readContext(sources, { session_id: sessionId, since: sessionSince, now }).value;
}
