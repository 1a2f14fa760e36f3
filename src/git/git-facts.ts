// What a git repository shows of an attempt: its commits and the files it changed. Looks only; changes nothing.

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { isInside } from '../files/guard-path.ts';

export type RepositoryFact = { repository: string; head: string | null; changed: string[] };

const LIMIT_MS = 30_000;
const MAX_LISTED = 1000;

// The repository a folder belongs to, but only one that lies inside the given roots: the checkout that
// merely happens to contain the workspace is not the agent's.
export async function repositoryAt(folder: string, roots: readonly string[]): Promise<string | null> {
  for (let at = folder; ; at = path.dirname(at)) {
    if (!roots.some(root => isInside(at, root))) return null;
    if (
      await lstat(path.join(at, '.git')).then(
        () => true,
        () => false,
      )
    )
      return at;
    if (at === path.dirname(at)) return null;
  }
}

export async function lookAtRepository(repository: string): Promise<RepositoryFact> {
  const git = open(repository);
  const head = await git.raw(['rev-parse', '--verify', '--quiet', 'HEAD']).then(
    text => text.trim() || null,
    () => null,
  );
  const status = await git
    .raw(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'])
    .catch(() => '');
  return {
    repository,
    head,
    changed: status
      .split('\0')
      .filter(Boolean)
      .map(line => line.slice(3)),
  };
}

export async function changesSince(before: RepositoryFact): Promise<{ files: string[]; commits: string[] }> {
  const after = await lookAtRepository(before.repository);
  const git = open(before.repository);
  const range = before.head === null ? 'HEAD' : `${before.head}..HEAD`;
  const moved = after.head !== null && after.head !== before.head;
  const commits = moved
    ? lines(await git.raw(['rev-list', '--reverse', `--max-count=${MAX_LISTED}`, range]).catch(() => ''))
    : [];
  const committed = moved ? await committedFiles(before.repository, before.head) : [];
  const known = new Set(before.changed);
  const files = [...committed, ...after.changed.filter(file => !known.has(file))];
  return { files: [...new Set(files)].sort().slice(0, MAX_LISTED), commits };
}

async function committedFiles(repository: string, from: string | null): Promise<string[]> {
  const args =
    from === null
      ? ['ls-tree', '-r', '--name-only', '-z', 'HEAD']
      : ['diff', '--name-only', '--no-renames', '-z', from, 'HEAD'];
  return (
    await open(repository)
      .raw(args)
      .catch(() => '')
  )
    .split('\0')
    .filter(Boolean);
}

const lines = (text: string): string[] => text.split('\n').filter(Boolean);

// An agent may have written this repository's config: nothing in it may run a program of its choice.
function open(repository: string): SimpleGit {
  return simpleGit({
    baseDir: repository,
    timeout: { block: LIMIT_MS },
    config: ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'protocol.ext.allow=never'],
    unsafe: { allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true, allowUnsafeProtocolOverride: true },
  }).env({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' });
}
