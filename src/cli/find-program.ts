// Is a program here, and which version? For `baton doctor`.

import { execFile } from 'node:child_process';

const ASK_MS = 10_000;

export type Version = readonly [major: number, minor: number];

// null: not here, or it does not answer. Otherwise the first line it printed.
export function askProgram(name: string, args: readonly string[]): Promise<string | null> {
  return new Promise(resolve => {
    execFile(name, args, { timeout: ASK_MS, encoding: 'utf8' }, (error, stdout) => {
      resolve(error === null ? (stdout.split('\n')[0] ?? '').trim() : null);
    });
  });
}

// "tmux 3.3a" → [3, 3]; "tmux master" → null, which is taken as new: its owner builds from source.
export function parseVersion(text: string): Version | null {
  const match = /(\d+)\.(\d+)/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

export function isAtLeast(version: Version | null, [major, minor]: Version): boolean {
  return version === null || version[0] > major || (version[0] === major && version[1] >= minor);
}
