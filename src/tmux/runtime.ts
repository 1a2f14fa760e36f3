// Where Baton's own tmux server and sockets live: one private folder per user.

import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../protocol/fault.ts';

// A unix socket's path may have about 107 bytes; names in this folder are at most 30 long.
const MAX_FOLDER_BYTES = 70;

export function runtimeFolder(): string {
  if (process.env.BATON_RUNTIME_DIR) return path.resolve(process.env.BATON_RUNTIME_DIR);
  if (process.env.XDG_RUNTIME_DIR) return path.join(process.env.XDG_RUNTIME_DIR, 'baton');
  return path.join(tmpdir(), `baton-${userInfo().uid}`);
}

export const tmuxSocket = (): string => path.join(runtimeFolder(), 'tmux.sock');

// Somebody else's folder, or one that others can write to, could hand us a foreign tmux server.
export function ensureRuntimeFolder(): string {
  const folder = runtimeFolder();
  if (Buffer.byteLength(folder) > MAX_FOLDER_BYTES) {
    throw new Fault(
      'invalid',
      `the runtime folder ${folder} has more than ${MAX_FOLDER_BYTES} bytes, too long for a socket`,
      'set BATON_RUNTIME_DIR to a shorter path',
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== userInfo().uid) {
    throw new Fault('refused', `${folder} is not a folder of yours`, 'set BATON_RUNTIME_DIR to a folder you own');
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}
