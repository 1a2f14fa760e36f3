// Reading one file that somebody hostile may have put there: regular files only, never through a
// symlink unless asked, never waiting on a FIFO, never more than a limit.

import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { mayOpen } from './never-open.ts';

// Far above any file of the protocol; keeps one bad file from filling the memory.
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

export class NotRegular extends Error {
  override name = 'NotRegular';
  readonly path: string;

  constructor(path: string, what: string) {
    super(`"${path}" is ${what}, not a regular file`);
    this.path = path;
  }
}

export type ReadOptions = { follow?: boolean; max?: number };

export async function openRegular(path: string, options: ReadOptions = {}): Promise<FileHandle> {
  refuseOthers(path, await (options.follow ? stat(path) : lstat(path)));
  const noFollow = options.follow ? 0 : constants.O_NOFOLLOW;
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  // It may have been swapped since the look above: the open file itself has the last word.
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotRegular(path, 'a special file');
}

function refuseOthers(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new NotRegular(path, 'a symlink');
  if (stats.isDirectory()) throw new NotRegular(path, 'a folder');
  if (!stats.isFile()) throw new NotRegular(path, 'a special file');
  if (!mayOpen(stats)) throw new NotRegular(path, 'a held lock');
}

// For what is looked at many times a second: an asynchronous call is a hop to another thread, which costs ten times
// the call itself. `none` where there is no such file.
export function lookIntoRegular<T>(path: string, none: T, look: (fd: number, stats: Stats) => T): T {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before === undefined) return none;
  refuseOthers(path, before);
  const fd = openNow(path);
  if (fd === null) return none;
  try {
    const stats = fstatSync(fd);
    refuseOthers(path, stats);
    return look(fd, stats);
  } finally {
    closeSync(fd);
  }
}

function openNow(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function readRegular(path: string, options: ReadOptions = {}): Promise<Buffer> {
  const max = options.max ?? DEFAULT_MAX_BYTES;
  const handle = await openRegular(path, options);
  try {
    const { size } = await handle.stat();
    if (size > max) throw new Error(`"${path}" has ${size} bytes; at most ${max} are read`);
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, end: max })) {
      chunks.push(chunk);
      total += chunk.length;
    }
    if (total > max) throw new Error(`"${path}" grew over ${max} bytes while it was read`);
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}
