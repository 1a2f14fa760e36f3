// Where Baton's own tmux server and sockets live: one private folder per user.

import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../protocol/fault.ts';

// A unix socket's path may have about 107 bytes; names in this folder are at most 30 long.
const MAX_FOLDER_BYTES = 70;

export function runtimeFolder(): string {
  if (process.env.BATON_RUNTIME_DIR) return path.resolve(process.env.BATON_RUNTIME_DIR);
  if (process.env.XDG_RUNTIME_DIR) return path.join(process.env.XDG_RUNTIME_DIR, 'baton');
  // Not TMPDIR: it differs from shell to shell, and all of a user's shells must meet at one server.
  return `/tmp/baton-${userInfo().uid}`;
}

export const tmuxSocket = (): string => path.join(runtimeFolder(), 'tmux.sock');

// Told before anything is touched: a run that finds out later leaves half an execution behind.
export function refuseLongFolder(folder = runtimeFolder()): void {
  if (Buffer.byteLength(folder) <= MAX_FOLDER_BYTES) return;
  throw new Fault(
    'invalid',
    `the runtime folder ${folder} has more than ${MAX_FOLDER_BYTES} bytes, too long for a socket`,
    'set BATON_RUNTIME_DIR to a shorter path',
  );
}

// Somebody else's folder, or one that others can write to, could hand us a foreign tmux server.
export function ensureRuntimeFolder(): string {
  const folder = runtimeFolder();
  refuseLongFolder(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== userInfo().uid) {
    throw new Fault('refused', `${folder} is not a folder of yours`, 'set BATON_RUNTIME_DIR to a folder you own');
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}
