// One sender per pane, over all processes of this user; and a place in the queue for a person, so that the
// engine does not take every free moment for itself.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, isLocked } from '../lock/lock.ts';
import { Fault } from '../protocol/fault.ts';
import type { PaneIdentity } from '../tmux/pane-door.ts';

const LOOK_MS = 100;

export class PaneBusy extends Fault {
  override name = 'PaneBusy';

  constructor(message: string) {
    super('refused', message, 'try again in a moment');
  }
}

export async function withPane<T>(
  folder: string,
  identity: PaneIdentity,
  o: { what: string; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + o.waitMs;
  for (;;) {
    const lock = await acquireLock(lockFile(folder, 'p', identity), { what: o.what });
    if (lock.held) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (performance.now() >= until)
      throw new PaneBusy(`pane ${identity.pane} is being typed into by ${lock.by?.what ?? 'another process'}`);
    await sleep(LOOK_MS);
  }
}

// While this lasts, engines say nothing of their own into the pane. Only a wish: the pane's lock is taken later.
export async function inQueue<T>(
  folder: string,
  identity: PaneIdentity,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const place = await acquireLock(lockFile(folder, 'q', identity), { what });
  try {
    return await work();
  } finally {
    if (place.held) place.release();
  }
}

export const isAwaited = async (folder: string, identity: PaneIdentity): Promise<boolean> =>
  (await isLocked(lockFile(folder, 'q', identity))) !== null;

// By whichever process, this one too.
export const isTypedInto = async (folder: string, identity: PaneIdentity): Promise<boolean> =>
  (await isLocked(lockFile(folder, 'p', identity))) !== null;

function lockFile(folder: string, kind: 'p' | 'q', { socket, pane }: PaneIdentity): string {
  const name = createHash('sha256').update(`${socket}\0${pane}`).digest('hex').slice(0, 12);
  return path.join(folder, `${kind}-${name}.lock`);
}
