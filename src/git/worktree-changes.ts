// Which files of a repository differ from an earlier commit, with both contents. Looks at the working tree by itself:
// git would run the clean filters that an agent may have put into the config of its repository.

import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { readRegular } from '../files/read-file.ts';
import { runGit } from './run-git.ts';

export type TreeChange = { path: string; before: Buffer | null; after: Buffer | null; isTooLarge: boolean };

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_CHANGES = 500;
const EMPTY = Buffer.alloc(0);

type Blob = { id: string; size: number; path: string };

export async function worktreeChanges(repository: string, head: string | null): Promise<TreeChange[]> {
  const tracked = head === null ? [] : await blobsOf(repository, head);
  const known = new Set(tracked.map(blob => blob.path));
  const others = await namesOf(repository, ['ls-files', '--others', '--exclude-standard', '-z']);
  const committed = await namesOf(repository, ['ls-files', '--cached', '-z']);
  const fresh = [...new Set([...committed, ...others])].filter(name => !known.has(name));
  const changes: TreeChange[] = [];
  for (const blob of tracked) {
    if (changes.length >= MAX_CHANGES) break;
    const now = await contentOf(path.join(repository, blob.path));
    if (now.content !== null && idOf(now.content, blob.id.length) === blob.id) continue;
    const isTooLarge = now.isTooLarge || blob.size > MAX_BYTES;
    const before = isTooLarge ? EMPTY : await blobContent(repository, blob.id);
    changes.push({ path: blob.path, before, after: now.isTooLarge ? EMPTY : now.content, isTooLarge });
  }
  for (const name of fresh) {
    if (changes.length >= MAX_CHANGES) break;
    const now = await contentOf(path.join(repository, name));
    if (now.content === null && !now.isTooLarge) continue;
    changes.push({ path: name, before: null, after: now.content ?? EMPTY, isTooLarge: now.isTooLarge });
  }
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function blobsOf(repository: string, head: string): Promise<Blob[]> {
  const { ok, stdout } = await runGit({ cwd: repository, args: ['ls-tree', '-r', '-l', '-z', '--full-tree', head] });
  if (!ok) return [];
  return stdout
    .toString('utf8')
    .split('\0')
    .flatMap(line => {
      const match = /^\d+ blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(line);
      return match === null ? [] : [{ id: match[1]!, size: Number(match[2]), path: match[3]! }];
    });
}

async function namesOf(repository: string, args: string[]): Promise<string[]> {
  const { ok, stdout } = await runGit({ cwd: repository, args });
  return ok ? stdout.toString('utf8').split('\0').filter(Boolean) : [];
}

async function blobContent(repository: string, id: string): Promise<Buffer> {
  const { ok, stdout } = await runGit({ cwd: repository, args: ['cat-file', 'blob', id] });
  return ok ? stdout : EMPTY;
}

// A link is its target, as in git; it is never followed.
async function contentOf(file: string): Promise<{ content: Buffer | null; isTooLarge: boolean }> {
  try {
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return { content: Buffer.from(await readlink(file)), isTooLarge: false };
    if (!stats.isFile()) return { content: null, isTooLarge: false };
    if (stats.size > MAX_BYTES) return { content: null, isTooLarge: true };
    return { content: await readRegular(file), isTooLarge: false };
  } catch {
    return { content: null, isTooLarge: false };
  }
}

const idOf = (content: Buffer, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');
