// What lies below a path, as the disk shows it. Never follows a link, never opens anything but
// regular files, and never throws because of a name or a file that vanished meanwhile.

import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { mayOpen } from './never-open.ts';
import { openRegular } from './read-file.ts';

export type TreeEntry = {
  path: string;
  kind: 'file' | 'folder' | 'symlink' | 'other';
  size: number;
  mode: number;
  mtimeMs: number;
  target?: string;
  // The name or target on the disk is not valid UTF-8: `path` is only good for showing.
  garbled?: true;
};

export async function walkTree(root: string): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of eachEntry(root, '')) entries.push(entry);
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

export async function fingerprintTree(root: string): Promise<string | null> {
  const hash = createHash('sha256');
  const entries = await walkTree(root);
  if (entries.length === 0) return null;
  for (const entry of entries) {
    hash.update(`${JSON.stringify([entry.path, entry.kind, entry.size, entry.mode, entry.target ?? null])}\n`);
    if (entry.kind === 'file') hash.update(`${await fingerprintFile(join(root, entry.path))}\n`);
  }
  return hash.digest('hex');
}

export async function hasContent(root: string): Promise<boolean> {
  for await (const entry of eachEntry(root, '')) if (entry.kind === 'file' && entry.size > 0) return true;
  return false;
}

async function* eachEntry(root: string, path: string): AsyncGenerator<TreeEntry> {
  const here = path === '' ? root : join(root, path);
  const stats = await unlessGone(lstat(here));
  if (stats === null) return;
  const entry = await toEntry(here, path, stats);
  yield entry;
  if (entry.kind !== 'folder') return;
  for (const bytes of (await unlessGone(readdir(here, { encoding: 'buffer' }))) ?? []) {
    const name = bytes.toString('utf8');
    const below = path === '' ? name : `${path}/${name}`;
    if (isUtf8(bytes, name)) yield* eachEntry(root, below);
    else yield { path: below, kind: 'other', size: 0, mode: 0, mtimeMs: 0, garbled: true };
  }
}

async function toEntry(here: string, path: string, stats: Stats): Promise<TreeEntry> {
  const shared = { path, size: 0, mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs };
  if (stats.isDirectory()) return { ...shared, kind: 'folder' };
  if (stats.isFile() && mayOpen(stats)) return { ...shared, kind: 'file', size: stats.size };
  if (!stats.isSymbolicLink()) return { ...shared, kind: 'other' };
  const bytes = (await unlessGone(readlink(here, { encoding: 'buffer' }))) ?? Buffer.alloc(0);
  const target = bytes.toString('utf8');
  if (!isUtf8(bytes, target)) return { ...shared, kind: 'other', garbled: true };
  return { ...shared, kind: 'symlink', target };
}

const isUtf8 = (bytes: Buffer, text: string) => Buffer.from(text).equals(bytes);

async function unlessGone<T>(looking: Promise<T>): Promise<T | null> {
  try {
    return await looking;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EINVAL'].includes(code)) return null;
    throw error;
  }
}

async function fingerprintFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await openRegular(file).catch(() => null);
  // Gone or swapped since the walk; another fingerprint is the honest answer.
  if (handle === null) return 'unreadable';
  for await (const chunk of handle.createReadStream()) hash.update(chunk);
  return hash.digest('hex');
}
