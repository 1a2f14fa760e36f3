// How often a pane was handed off, also before a restart; and the word to the engine that it is not to be again, so
// that a person is asked instead of money being spent.

import { rm } from 'node:fs/promises';
import { writeFileAtomic } from '../src/files/write-file.ts';
import type { WatchedPane } from './watched-pane.ts';

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
