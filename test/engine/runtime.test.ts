// The folder of Baton's sockets: private, short, the same for all shells of one user.

import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ensureRuntimeFolder, runtimeFolder, tmuxSocket } from '../../src/tmux/runtime.ts';
import { makeFolder } from './engine-world.ts';

const before = { ...process.env };
afterEach(() => {
  for (const name of ['BATON_RUNTIME_DIR', 'XDG_RUNTIME_DIR', 'TMPDIR']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

test('it is BATON_RUNTIME_DIR, else in XDG_RUNTIME_DIR, else one per user, whatever TMPDIR says', () => {
  process.env.BATON_RUNTIME_DIR = '/tmp/given';
  process.env.XDG_RUNTIME_DIR = '/run/user/7';
  process.env.TMPDIR = '/elsewhere';
  expect(runtimeFolder()).toBe('/tmp/given');
  delete process.env.BATON_RUNTIME_DIR;
  expect(tmuxSocket()).toBe('/run/user/7/baton/tmux.sock');
  delete process.env.XDG_RUNTIME_DIR;
  expect(runtimeFolder()).toBe(`/tmp/baton-${userInfo().uid}`);
});

test('it is made private, and made private again when somebody opened it', () => {
  const folder = path.join(makeFolder(), 'run');
  process.env.BATON_RUNTIME_DIR = folder;
  ensureRuntimeFolder();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  chmodSync(folder, 0o777);
  ensureRuntimeFolder();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a link in its place, or a path too long for a socket, is refused with its cure', () => {
  const folder = makeFolder();
  mkdirSync(path.join(folder, 'real'));
  symlinkSync(path.join(folder, 'real'), path.join(folder, 'link'));
  process.env.BATON_RUNTIME_DIR = path.join(folder, 'link');
  expect(() => ensureRuntimeFolder()).toThrow(/is not a folder of yours/);
  process.env.BATON_RUNTIME_DIR = path.join(folder, 'x'.repeat(80));
  expect(() => ensureRuntimeFolder()).toThrow(/too long for a socket/);
});
