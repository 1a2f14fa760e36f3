// How full is the context? Picks one reading out of up to four sources. Pure. What is absent, stale or of
// another session is unknown, and unknown is never zero.

import type { StatusRecord } from './read-status-record.ts';
import type { Usage } from './transcript-facts.ts';

export type ContextSource = 'record' | 'screen' | 'transcript' | 'estimate';

export type ContextReading = {
  value: number;
  window: number | null;
  percent: number | null;
  source: ContextSource;
  session_id: string;
  time: number;
};
export type ContextUnknown = { value: null; why: string };

// A screen shows no session id: it is believed for the session that was current when it was captured.
export type ScreenContext = { tokens: number | null; window: number | null; percent: number | null; time: number };
export type Estimate = { tokens: number; session_id: string; time: number };

export type ContextSources = {
  record: StatusRecord | null;
  screen: ScreenContext | null;
  transcript: Usage | null;
  estimate: Estimate | null;
};

// `since`: when this session began, was cleared or compacted; nothing older says anything about it.
export type ContextNow = { session_id: string; since: number; now: number; maxAgeMs?: number };

// After /clear the old figure stays on the screen for up to 0.8 s (measured).
const SCREEN_SETTLES_MS = 1500;
// The status line runs about 0.3 s after a reply. A reply this much younger means it was not run.
const RECORD_LAG_MS = 10_000;

export function readContext(sources: ContextSources, at: ContextNow): ContextReading | ContextUnknown {
  const reasons: string[] = [];
  for (const read of [fromRecord, fromScreen, fromTranscript, fromEstimate]) {
    const result = read(sources, at);
    if (result.value !== null) return result;
    reasons.push(result.why);
    if (result === NEW) return { value: null, why: NEW.why };
  }
  return { value: null, why: reasons.join('; ') };
}

const unknown = (why: string): ContextUnknown => ({ value: null, why });
// Certain knowledge that there is no figure yet: whatever older sources still say belongs to the past.
const NEW = unknown('new: no reply yet in this session');

function fromRecord({ record, transcript }: ContextSources, at: ContextNow): ContextReading | ContextUnknown {
  if (record === null) return unknown('no status record');
  if (record.session_id !== at.session_id) return unknown('the status record is of another session');
  if (isOld(record.read_at, at)) return unknown('the status record is stale');
  const replied = transcript?.session_id === at.session_id ? transcript.time : null;
  if (replied !== null && replied - record.read_at > RECORD_LAG_MS)
    return unknown('the status record is older than the last reply');
  if (record.tokens === null) return NEW;
  const { tokens: value, window, percent, session_id, read_at: time } = record;
  return { value, window, percent, source: 'record', session_id, time };
}

function fromScreen({ screen, record }: ContextSources, at: ContextNow): ContextReading | ContextUnknown {
  if (screen === null) return unknown('no status line on the screen');
  if (screen.time < at.since + SCREEN_SETTLES_MS) return unknown('the screen may still show the session before');
  if (isOld(screen.time, at)) return unknown('the screen is stale');
  const { percent, time } = screen;
  const window = screen.window ?? (record?.session_id === at.session_id ? record.window : null);
  const value = screen.tokens ?? (percent === null || window === null ? null : Math.round((percent / 100) * window));
  if (value === null) return unknown('the screen shows a percentage of an unknown window');
  return { value, window, percent, source: 'screen', session_id: at.session_id, time };
}

function fromTranscript({ transcript, record }: ContextSources, at: ContextNow): ContextReading | ContextUnknown {
  if (transcript === null) return unknown('no usage in the transcript');
  if (transcript.session_id !== at.session_id) return unknown('the transcript is of another session');
  if (transcript.time === null || isOld(transcript.time, at)) return unknown('the usage in the transcript is stale');
  const window = record?.session_id === at.session_id ? record.window : null;
  const { tokens: value, session_id, time } = transcript;
  return { value, window, percent: share(value, window), source: 'transcript', session_id, time };
}

function fromEstimate({ estimate }: ContextSources, at: ContextNow): ContextReading | ContextUnknown {
  if (estimate === null) return unknown('no estimate');
  if (estimate.session_id !== at.session_id) return unknown('the estimate is of another session');
  if (isOld(estimate.time, at)) return unknown('the estimate is stale');
  const { tokens: value, session_id, time } = estimate;
  return { value, window: null, percent: null, source: 'estimate', session_id, time };
}

const isOld = (time: number, { since, now, maxAgeMs = Number.POSITIVE_INFINITY }: ContextNow): boolean =>
  time < since || now - time > maxAgeMs;

const share = (value: number, window: number | null): number | null =>
  window === null || window === 0 ? null : Math.round((100 * value) / window);
