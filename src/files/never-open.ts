// Files this process must not open. POSIX drops every lock a process holds on a file as soon as the
// process closes any descriptor of it (seen with node:sqlite on Linux), so a held lock file is listed
// here and the readers of this room treat it as a special file.

import type { Stats } from 'node:fs';

const held = new Set<string>();

const keyOf = (stats: Pick<Stats, 'dev' | 'ino'>) => `${stats.dev}:${stats.ino}`;

export function forbidOpening(stats: Stats): () => void {
  const key = keyOf(stats);
  held.add(key);
  return () => held.delete(key);
}

export function mayOpen(stats: Pick<Stats, 'dev' | 'ino'>): boolean {
  return !held.has(keyOf(stats));
}
