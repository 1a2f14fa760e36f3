// What the records of ended handoffs tell of a pane: how often it was handed off, and which sessions had their one
// handoff. Memory alone would forget it at each restart, and hand a futile session off again.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '../src/files/write-file.ts';
import type { Handoff } from '../src/handoff/handoff-types.ts';
import { freshWatch, latch, type Watch } from '../src/handoff/observe.ts';
import { type HandoffEnd, HandoffRecord } from '../src/protocol/handoff.ts';
import type { WatchedPane } from './watched-pane.ts';

// More than any limit that makes sense; a folder with years of records is not read whole.
const MOST_RECORDS = 2000;

export type Past = { watch: Watch; handoffs: number; records: readonly HandoffRecord[] };

export async function pastOf(state: string, pane: Pick<WatchedPane, 'kind' | 'name'>): Promise<Past> {
  const records = await recordsIn(path.join(state, 'handoffs'));
  // A pane of the user's has a number for a name, which others had before it: it counts anew.
  const isOwn = (record: HandoffRecord) => pane.kind === 'engine' && record.pane === pane.name;
  return {
    watch: records.reduce(
      (watch, { outcome, session_before: sessionId, session_after: sessionAfter }) =>
        latchBy(watch, outcome, { sessionId, sessionAfter }),
      freshWatch,
    ),
    handoffs: records.filter(record => isOwn(record) && record.session_after !== null).length,
    records,
  };
}

// The fresh session of a futile one would be due at once, and for ever. In whichever pane: sessions can be resumed.
export function latchBy(watch: Watch, how: HandoffEnd, of: Pick<Handoff, 'sessionId' | 'sessionAfter'>): Watch {
  // Finished by what lies on the disk; where the engine finds that something lacks, it works on and may be due again.
  if (how === 'finished') return { ...watch, latched: watch.latched.filter(each => each !== of.sessionId) };
  const latched = latch(watch, of.sessionId);
  return how === 'futile' && of.sessionAfter !== null ? latch(latched, of.sessionAfter) : latched;
}

// A hundred panes ask at the start; each record that comes changes the folder's time.
let kept: { folder: string; mtimeMs: number; records: Promise<HandoffRecord[]> } | null = null;

async function recordsIn(folder: string): Promise<HandoffRecord[]> {
  const mtimeMs = (await stat(folder).catch(() => null))?.mtimeMs;
  if (mtimeMs === undefined) return [];
  if (kept?.folder !== folder || kept.mtimeMs !== mtimeMs) kept = { folder, mtimeMs, records: readAll(folder) };
  return kept.records;
}

async function readAll(folder: string): Promise<HandoffRecord[]> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).toSorted();
  const records = names.slice(-MOST_RECORDS).map(name => readJson(path.join(folder, name), HandoffRecord));
  return (await Promise.all(records.map(record => record.catch(() => null)))).filter(record => record !== null);
}
