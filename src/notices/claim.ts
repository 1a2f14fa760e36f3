// One notice for one event, over restarts and over all processes that see it: whoever makes the file first tells it.

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../files/state-folder.ts';

const KEPT_MS = 30 * 24 * 3600 * 1000;

const folder = (): string => path.join(stateFolder(), 'notices');

export function claimNotice(key: string): boolean {
  const file = path.join(folder(), createHash('sha256').update(key).digest('hex').slice(0, 32));
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch {
    return false; // told already; or it cannot be known, and twice is worse than not at all
  }
}

export async function forgetOldClaims(now: number): Promise<void> {
  for (const name of await readdir(folder()).catch(() => [])) {
    const file = path.join(folder(), name);
    const { mtimeMs = now } = (await stat(file).catch(() => null)) ?? {};
    if (now - mtimeMs > KEPT_MS) await rm(file, { force: true }).catch(() => {});
  }
}
