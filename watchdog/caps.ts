// How often a pane was handed off, also before a restart; and the word to the engine that it is not to be again, so
// that a person is asked instead of money being spent.

import { readFile, rm } from 'node:fs/promises';
import { writeFileAtomic } from '../src/files/write-file.ts';
import type { WatchedPane } from './watched-pane.ts';

// What a watchdog before this one left there: the engine parks the agent for as long as it stands.
export async function readCap({ cap }: Pick<WatchedPane, 'cap'>): Promise<string | null> {
  return cap === null ? null : (await readFile(cap, 'utf8').catch(() => '')).trim() || null;
}

// Stays for as long as it is full: between two readings nothing has changed. `isOver` null: nobody knows just now.
export async function keepCap(
  pane: Pick<WatchedPane, 'cap'>,
  o: { before: string | null; capped: string | null; isOver: boolean | null },
): Promise<string | null> {
  const now = o.capped ?? (o.isOver === false ? null : o.before);
  if (now === o.before || pane.cap == null) return now;
  if (now === null) await rm(pane.cap, { force: true });
  else await writeFileAtomic(pane.cap, `${now}\n`, { mode: 0o600, sync: false });
  return now;
}
