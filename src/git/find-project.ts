// The repository that a handoff's files lie in, and what it looks like now. Looks only; changes nothing.

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../files/guard-path.ts';
import { CannotTake } from './cannot-take.ts';
import { runGit, saidBy } from './run-git.ts';

export type Project = {
  top: string;
  gitDir: string;
  index: string;
  hash: 'sha1' | 'sha256';
  head: string | null; // null: no commit yet
  isDetached: boolean;
  going: string | null; // what is in progress: a merge, a rebase…
};

const inProgress: Record<string, string> = {
  MERGE_HEAD: 'a merge is in progress',
  'rebase-merge': 'a rebase is in progress',
  'rebase-apply': 'a rebase or `git am` is in progress',
  CHERRY_PICK_HEAD: 'a cherry-pick is in progress',
  REVERT_HEAD: 'a revert is in progress',
  sequencer: 'a cherry-pick or revert is in progress',
  BISECT_START: 'a bisect is in progress',
};

// Throws CannotTake when there is no repository, or none that holds all of these files.
export async function findProject(files: readonly string[]): Promise<Project> {
  const cwd = await deepestFolder(path.dirname(files[0]!));
  const names = Object.keys(inProgress);
  const asked = ['--show-toplevel', '--absolute-git-dir', '--show-object-format', '--git-path', 'index'];
  const paths = names.flatMap(name => ['--git-path', name]);
  const answer = await runGit({ cwd, args: ['rev-parse', ...asked, ...paths] });
  if (!answer.ok) throw new CannotTake(`no usable repository: ${saidBy(answer)}`);
  const [top, gitDir, hash, index, ...rest] = answer.stdout.toString('utf8').trimEnd().split('\n');
  if (rest.length !== names.length) throw new CannotTake('no usable repository: a line break in its path');
  for (const file of files) await mustHold(top!, file);
  const found = await Promise.all(rest.map(place => isThere(path.resolve(cwd, place))));
  const head = await runGit({ cwd: top!, args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] });
  const symbolic = await runGit({ cwd: top!, args: ['symbolic-ref', '--quiet', 'HEAD'] });
  return {
    top: top!,
    gitDir: gitDir!,
    index: path.resolve(cwd, index!),
    hash: hash === 'sha256' ? 'sha256' : 'sha1',
    head: head.ok ? head.stdout.toString().trim() : null,
    isDetached: !symbolic.ok,
    going: inProgress[names[found.indexOf(true)] ?? ''] ?? null,
  };
}

export const nameIn = (project: Project, file: string): string => path.relative(project.top, file);

// A file of a repository nested below (a submodule) would be put in place of that repository's entry.
async function mustHold(top: string, file: string): Promise<void> {
  if (!isInside(file, top)) throw new CannotTake(`"${path.basename(file)}" lies outside the repository`);
  for (let at = path.dirname(file); at !== top; at = path.dirname(at)) {
    if (await isThere(path.join(at, '.git'))) throw new CannotTake('the files lie in more than one repository');
  }
}

async function deepestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    const stats = await lstat(at).catch(() => null);
    if (stats?.isDirectory() || at === path.dirname(at)) return at;
  }
}

export function isThere(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  );
}
