// A guess at how full a session is, for when no exact reading of it counts. Nothing is done on the strength of it but
// to tell a person: without it a pane whose readings fail would run into compaction unseen. Pure.

import type { Reading } from '../src/handoff/observe.ts';
import type { StatusRecord } from '../src/receipts/read-status-record.ts';
import type { Usage } from '../src/receipts/transcript-facts.ts';

export type EstimateFrom = {
  sessionId: string | null; // null: its hooks have told of none
  hasEnded: boolean;
  written: StatusRecord | null; // the record as it lies there, whether it counts or not
  record: StatusRecord | null; // the one that counts
  usage: Usage | null;
  transcriptBytes: number | null;
};

// A record that does not count for so long will not be explained by what comes next.
const STANDS_MS = 60_000;
// Lines of JSON with names and ids around the words: text alone would be about 4.
const BYTES_PER_TOKEN = 6;

export function estimateOf(from: EstimateFrom, now: number): Reading | null {
  const { sessionId, written } = from;
  if (from.hasEnded || from.record !== null || from.usage !== null) return null;
  const isItsOwn = written !== null && (sessionId === null || written.session_id === sessionId);
  if (isItsOwn && written.tokens !== null && now - written.read_at >= STANDS_MS)
    return { tokens: written.tokens, sessionId: written.session_id, source: 'estimate', at: written.read_at };
  if (sessionId === null || from.transcriptBytes === null) return null;
  const tokens = Math.round(from.transcriptBytes / BYTES_PER_TOKEN);
  return { tokens, sessionId, source: 'estimate', at: now };
}
