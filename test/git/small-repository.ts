// Real repositories for the tests of src/git, and everything that can be seen of one at a moment.

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commitHandoff, findHandoffCommit } from '../../src/git/commit-handoff.ts';
import { tempFolder } from '../files/temp-folder.ts';

export const MESSAGE = 'docs: orchestrator handoff checkpoint';
export const ID = 'h-2026-0001';
export const documentText = (id = ID, more = 'Nothing is blocked.') => `# Handoff\n\nHandoff-Id: ${id}\n\n${more}\n`;

export type World = { base: string; folder: string; own: string };

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(/\n$/, '');
}

export const tryGit = (cwd: string, ...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' });

export function put(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

export function emptyRepository(name = 'project'): World {
  const base = tempFolder();
  const folder = path.join(base, name);
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  identify(folder);
  return { base, folder, own: path.join(base, 'own.git') };
}

export function identify(folder: string): void {
  git(folder, 'config', 'user.name', 'A User');
  git(folder, 'config', 'user.email', 'user@example.invalid');
}

// With something of every kind that a commit must leave alone: staged, unstaged, both, deleted, new, untracked.
export function busyRepository(name?: string): World {
  const world = emptyRepository(name);
  const { folder } = world;
  for (const file of ['calm', 'staged', 'unstaged', 'both', 'deleted', 'gone']) put(folder, `${file}.txt`, `${file}\n`);
  put(folder, 'docs/HANDOFF.md', '# Handoff\n\nold\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'first');
  disturb(folder);
  return world;
}

export function disturb(folder: string): void {
  put(folder, 'staged.txt', 'staged 2\n');
  put(folder, 'both.txt', 'both 2\n');
  put(folder, 'new file.txt', 'new\n');
  git(folder, 'add', 'staged.txt', 'both.txt', 'new file.txt');
  git(folder, 'rm', '--quiet', '--cached', 'deleted.txt');
  git(folder, 'rm', '--quiet', 'gone.txt');
  put(folder, 'both.txt', 'both 3\n');
  put(folder, 'unstaged.txt', 'unstaged 2\n');
  put(folder, 'untracked.txt', 'untracked\n');
  git(folder, 'update-index', '--assume-unchanged', 'calm.txt');
}

export function hook(folder: string, name: string, script: string): void {
  const file = path.resolve(folder, git(folder, 'rev-parse', '--git-path', `hooks/${name}`));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

export type Seen = {
  branch: string;
  head: string;
  status: string[];
  index: string[];
  flags: string[];
  tree: string;
  locks: string[];
};

// Without the handoff's own paths: all of this must be the same before and after.
export function look(folder: string, without: string[] = ['docs']): Seen {
  const isOther = (line: string) => line !== '' && !without.some(name => line.includes(name));
  const lines = (...args: string[]) =>
    git(folder, '-c', 'core.quotePath=false', ...args)
      .split('\n')
      .filter(isOther);
  const gitDir = git(folder, 'rev-parse', '--absolute-git-dir');
  return {
    branch: tryGit(folder, 'symbolic-ref', '-q', 'HEAD').stdout.trim(),
    head: tryGit(folder, 'rev-parse', '-q', '--verify', 'HEAD').stdout.trim(),
    status: lines('--no-optional-locks', 'status', '--porcelain=v2', '--untracked-files=all'),
    index: lines('ls-files', '-s'),
    flags: lines('ls-files', '-v', '-f'),
    tree: hashTree(git(folder, 'rev-parse', '--show-toplevel')),
    locks: readdirSync(gitDir, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.lock')),
  };
}

// Everything on disk: this one leaves nothing out, for no file at all may change.
export function hashTree(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => !/(^|\/)\.git(\/|$)/.test(name),
  );
  for (const name of names.sort()) {
    const file = path.join(folder, name);
    const stats = lstatSync(file);
    const body = stats.isFile() ? readFileSync(file) : stats.isSymbolicLink() ? readlinkSync(file) : '';
    hash.update(`${name}\0${stats.mode}\0`).update(body);
  }
  return hash.digest('hex');
}

export type Wish = { files?: string[]; removed?: string[]; id?: string; limitMs?: number; folder?: string };

export function commit(world: World, { files = ['docs/HANDOFF.md'], removed = [], id = ID, ...rest }: Wish = {}) {
  const shared = { folder: rest.folder ?? world.folder, files, handoffId: id, ownRepository: world.own };
  return commitHandoff({ ...shared, removed, message: MESSAGE, limitMs: rest.limitMs ?? 20_000 });
}

export function find(world: World, { files = ['docs/HANDOFF.md'], id = ID, folder = world.folder }: Wish = {}) {
  return findHandoffCommit({ folder, files, handoffId: id, ownRepository: world.own });
}

export const filesIn = (folder: string, sha: string): string[] =>
  git(
    folder,
    '-c',
    'core.quotePath=false',
    'show',
    '--no-renames',
    '--name-status',
    '--format=',
    '-m',
    '--first-parent',
    sha,
  )
    .split('\n')
    .filter(Boolean);

export const commitsWith = (folder: string, id = ID): string[] =>
  git(folder, 'log', '--all', '--format=%H', `--grep=Handoff-Id: ${id}`).split('\n').filter(Boolean);
