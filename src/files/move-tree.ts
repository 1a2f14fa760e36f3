// Moving and copying trees without ever following a link or overwriting anything.

import type { Stats } from 'node:fs';
import { chmod, lstat, lutimes, mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openRegular } from './read-file.ts';
import { type TreeEntry, walkTree } from './walk-tree.ts';
import { tempBeside } from './write-file.ts';

// The place appears whole or not at all, also across file systems.
export async function moveTree(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await refuseTaken(to);
  try {
    await renameTree(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const temp = tempBeside(to);
    try {
      await copyTree(from, temp);
      await renameTree(temp, to);
    } finally {
      await removeTree(temp);
    }
    await removeTree(from);
  }
}

// A folder without write permission cannot be given another parent (Linux updates its ".."), unless
// one is root: it is opened for the moment of the move.
async function renameTree(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const stats = await lstat(from);
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || !stats.isDirectory()) throw error;
    await renameClosed(from, to, stats);
  }
}

async function renameClosed(from: string, to: string, stats: Stats): Promise<void> {
  const mode = stats.mode & 0o7777;
  await chmod(from, mode | 0o700);
  try {
    await rename(from, to);
  } catch (error) {
    await chmod(from, mode);
    throw error;
  }
  await chmod(to, mode);
}

export async function copyTree(from: string, to: string): Promise<void> {
  const entries = await walkTree(from);
  if (entries.length === 0) throw new Error(`"${from}" does not exist`);
  const odd = entries.find(entry => entry.kind === 'other');
  if (odd) throw new Error(`"${join(from, odd.path)}" is a special file and cannot be copied; remove it and try again`);
  await refuseTaken(to);
  await mkdir(dirname(to), { recursive: true });
  try {
    for (const entry of entries) await copyEntry(join(from, entry.path), join(to, entry.path), entry);
    // Deepest first: a mode or time set on a folder must outlast the writing below it.
    for (const entry of entries.toReversed()) await setStamp(join(to, entry.path), entry);
  } catch (error) {
    await removeTree(to);
    throw error;
  }
}

async function copyEntry(from: string, to: string, entry: TreeEntry): Promise<void> {
  if (entry.kind === 'folder') return void (await mkdir(to, { mode: 0o700 }));
  if (entry.kind === 'symlink') return symlink(entry.target ?? '', to);
  const source = await openRegular(from);
  const goal = await open(to, 'wx', 0o600).catch(async error => {
    await source.close();
    throw error;
  });
  await pipeline(source.createReadStream(), goal.createWriteStream());
}

export async function setStamp(path: string, entry: Pick<TreeEntry, 'kind' | 'mode' | 'mtimeMs'>): Promise<void> {
  if (entry.kind !== 'symlink') await chmod(path, entry.mode);
  // Whole microseconds survive Node's numbers. One before 1970 must be a Date: a negative number means "now".
  const time = entry.mtimeMs < 0 ? new Date(entry.mtimeMs) : Math.round(entry.mtimeMs * 1000) / 1e6;
  await lutimes(path, time, time);
}

// rm -rf that also removes what lies in folders closed to their own owner.
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openFolders(join(path, name));
}

async function refuseTaken(path: string): Promise<void> {
  const taken = await lstat(path).then(
    () => true,
    error => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (taken) throw Object.assign(new Error(`"${path}" is already there; it is not overwritten`), { code: 'EEXIST' });
}
