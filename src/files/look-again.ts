// A look into a file that is asked for far more often than the file changes: what was found there is kept as long as
// inode, size and time are the same. Only for files that nobody rewrites in place twice within a tick of the clock.

import { lstatSync, type Stats } from 'node:fs';
import { lookIntoRegular } from './read-file.ts';

const MOST_KEPT = 500;

// Nothing but a whole find is kept: null may be a file caught in the middle of a write.
export function lookAgain<T>(look: (fd: number, stats: Stats) => T | null): (path: string) => T | null {
  const kept = new Map<string, { stamp: string; found: T }>();
  return path => {
    const now = lstatSync(path, { throwIfNoEntry: false });
    const known = kept.get(path);
    if (now !== undefined && known?.stamp === stampOf(now)) return known.found;
    kept.delete(path);
    return lookIntoRegular<T | null>(path, null, (fd, stats) => {
      const found = look(fd, stats);
      if (kept.size >= MOST_KEPT) kept.clear();
      if (found !== null) kept.set(path, { stamp: stampOf(stats), found });
      return found;
    });
  };
}

const stampOf = ({ ino, size, mtimeMs }: Stats): string => `${ino}:${size}:${mtimeMs}`;
