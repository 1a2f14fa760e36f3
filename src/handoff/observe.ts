// Step 1: is this pane due? Two agreeing readings at or over the threshold, of the present session, from two
// sources or as two records. An estimate only alerts. One handoff per session id, unless a person asks. Pure.

export type ContextSourceName = 'record' | 'screen' | 'transcript' | 'estimate';
export type Reading = { tokens: number; sessionId: string; source: ContextSourceName; at: number };

// What is remembered of one pane between readings.
export type Watch = { first: Reading | null; latched: readonly string[]; alertedFor: string | null };
export const freshWatch: Watch = { first: null, latched: [], alertedFor: null };

export type Observation =
  | { due: 'no'; watch: Watch }
  | { due: 'alert'; watch: Watch; text: string } // an estimate alone is over
  | { due: 'handoff'; watch: Watch; sessionId: string; tokens: number };

// Two readings of one growing context are never equal; further apart than this they speak of different things.
const AGREE = 0.25;
const MOST_LATCHED = 5000; // more than the records that are read at the start

export function observe(watch: Watch, reading: Reading, present: string | null, threshold: number): Observation {
  // A reading of another session than the present one is the past: after /clear old figures linger.
  if (present === null || reading.sessionId !== present) return { due: 'no', watch };
  if (watch.latched.includes(present)) return { due: 'no', watch: { ...watch, first: null } };
  if (reading.source === 'estimate') {
    if (reading.tokens < threshold || watch.alertedFor === present) return { due: 'no', watch };
    const text = `by estimate the context is at ${reading.tokens} tokens, over ${threshold}; no exact reading says so`;
    return { due: 'alert', watch: { ...watch, alertedFor: present }, text };
  }
  if (reading.tokens < threshold) return { due: 'no', watch: { ...watch, first: null } };
  const { first } = watch;
  if (first === null || first.sessionId !== present || !agree(first, reading))
    return { due: 'no', watch: { ...watch, first: reading } };
  return {
    due: 'handoff',
    watch: latch({ ...watch, first: null }, present),
    sessionId: present,
    tokens: reading.tokens,
  };
}

// The same record read twice is one reading.
function agree(a: Reading, b: Reading): boolean {
  if (a.source === b.source && a.at === b.at) return false;
  return Math.abs(a.tokens - b.tokens) <= AGREE * Math.max(a.tokens, b.tokens);
}

// Also after a futile handoff, with the fresh session: it would be due at once and for ever.
export function latch(watch: Watch, sessionId: string): Watch {
  if (watch.latched.includes(sessionId)) return watch;
  return { ...watch, latched: [...watch.latched, sessionId].slice(-MOST_LATCHED) };
}
