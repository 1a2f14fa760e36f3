// Blobs and a tree made in a private index: the repository's own index and working tree are not touched.

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CannotTake } from './cannot-take.ts';
import { type GitAnswer, type GitCall, runGit, saidBy } from './run-git.ts';

export type Entry = { name: string; oid: string; mode: string }; // mode 0: the name is taken out
export type Where = { cwd: string; env: Record<string, string> };

export const GONE = '0';

// It tells whose it is: a copy of somebody's index must not lie about for ever when its process was killed.
const PRIVATE = 'baton-git-';
export const privateFolderOwner = (name: string): number | null => {
  const [, pid] = /^baton-git-(\d+)-\w+$/.exec(name) ?? [];
  return pid === undefined ? null : Number(pid);
};

export async function withPrivateFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), `${PRIVATE}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Git's answer, or the reason why this place cannot take the handoff.
export async function need(what: string, call: GitCall): Promise<string> {
  const answer = await runGit(call);
  if (!answer.ok) throw new CannotTake(`${what}: ${answer.timedOut ? 'it took too long' : saidBy(answer)}`);
  return answer.stdout.toString('utf8').trimEnd();
}

// With a name git runs the filters (line ends, LFS) that belong to it; without one the bytes are taken as they are.
export function writeBlob(where: Where, body: Buffer, name: string | null): Promise<string> {
  const filters = name === null ? ['--no-filters'] : [`--path=${name}`];
  return need('git could not keep the document', {
    ...where,
    args: ['hash-object', '-w', '--stdin', ...filters],
    input: body,
  });
}

// Starts from the repository's own index where there is one: its stat data and sparse marks keep hooks fast and right.
export async function fillIndex(
  where: Where,
  o: { base: string | null; entries: Entry[]; like?: string },
): Promise<void> {
  const file = where.env.GIT_INDEX_FILE!;
  const isCopied = o.like !== undefined && (await copyFile(o.like, file).then(yes, no));
  const base = o.base === null ? ['--empty'] : isCopied ? ['--reset', o.base] : [o.base];
  const args = ['read-tree', ...base];
  const answer = await runGit({ ...where, args });
  if (!answer.ok && isCopied) {
    await rm(file, { force: true });
    await need('git could not read its last commit', { ...where, args: ['read-tree', o.base ?? '--empty'] });
  } else if (!answer.ok) throw new CannotTake(`git could not read its last commit: ${saidBy(answer)}`);
  const set = await setEntries(where, o.entries);
  if (!set.ok) throw new CannotTake(`git could not prepare the commit: ${saidBy(set)}`);
}

export function setEntries(where: Where, entries: Entry[], asProject = false): Promise<GitAnswer> {
  const lines = entries.map(({ mode, oid, name }) => `${mode} ${oid}\t${name}\0`);
  return runGit({ ...where, args: ['update-index', '-z', '--index-info'], input: lines.join(''), asProject });
}

export const writeTree = (where: Where): Promise<string> =>
  need('git could not write the tree', { ...where, args: ['write-tree'] });

// What a commit of this tree would change against its parent.
export async function changedNames(where: Where, base: string | null, tree: string): Promise<string[]> {
  const against = [
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--no-renames',
    '--ignore-submodules=none',
    base ?? '',
    tree,
  ];
  const args = base === null ? ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree] : against;
  const answer = await need('git could not compare the commit', { ...where, args });
  return answer.split('\0').filter(Boolean);
}

const yes = () => true;
const no = () => false;
