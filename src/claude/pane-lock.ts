// One sender per pane, over all processes of this user.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../lock/lock.ts';
import { Fault } from '../protocol/fault.ts';
import type { PaneIdentity } from '../tmux/pane-door.ts';

const LOOK_MS = 100;

export async function withPane<T>(
  folder: string,
  identity: PaneIdentity,
  o: { what: string; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const name = createHash('sha256').update(`${identity.socket}\0${identity.pane}`).digest('hex').slice(0, 12);
  const until = performance.now() + o.waitMs;
  for (;;) {
    const lock = await acquireLock(path.join(folder, `p-${name}.lock`), { what: o.what });
    if (lock.held) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (performance.now() >= until)
      throw new Fault(
        'refused',
        `pane ${identity.pane} is being typed into by ${lock.by?.what ?? 'another process'}`,
        'try again in a moment',
      );
    await sleep(LOOK_MS);
  }
}
