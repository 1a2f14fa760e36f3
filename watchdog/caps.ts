// How often a pane was handed off, also before a restart; and the word to the engine that it is not to be again, so
// that a person is asked instead of money being spent.

import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson, writeFileAtomic } from '../src/files/write-file.ts';
import { HandoffRecord } from '../src/protocol/handoff.ts';
import type { WatchedPane } from './watched-pane.ts';

// More than any limit that makes sense; a folder with years of records is not read whole.
const MOST_RECORDS = 2000;

// Those that cleared it. A pane of the user's has a number for a name, which others had before it: it counts anew.
export async function countHandoffs(state: string, pane: WatchedPane): Promise<number> {
  if (pane.kind !== 'engine') return 0;
  const folder = path.join(state, 'handoffs');
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).toSorted();
  const records = names.slice(-MOST_RECORDS).map(name => readJson(path.join(folder, name), HandoffRecord));
  const found = await Promise.all(records.map(record => record.catch(() => null)));
  return found.filter(record => record?.pane === pane.name && record.session_after !== null).length;
}

// Stays for as long as it is full: between two readings nothing has changed.
export async function keepCap(
  pane: WatchedPane,
  o: { before: string | null; capped: string | null; isOver: boolean },
): Promise<string | null> {
  const now = o.capped ?? (o.isOver ? o.before : null);
  if (now === o.before || pane.cap == null) return now;
  if (now === null) await rm(pane.cap, { force: true });
  else await writeFileAtomic(pane.cap, `${now}\n`, { mode: 0o600, sync: false });
  return now;
}
