// Ctrl-Z. First the terminal is given back, then the whole job stops at once (npm and its shell are in it, too): were
// they stopped first, the shell would have the terminal while we still change its modes, and stop us half-way.
//
// The signal is the one that terminals send, unhandled: where no shell could ever continue the job, the kernel throws
// it away, and a dashboard that is the terminal's only program does not freeze.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const CONTINUED_MS = 500; // after a stop SIGCONT is heard at once; without one it never comes

export async function suspendJob(lend: (use: () => Promise<void>) => Promise<void>): Promise<boolean> {
  let wasStopped = false;
  await lend(async () => {
    const handlers = process.listeners('SIGTSTP');
    process.removeAllListeners('SIGTSTP');
    const woken = once(process, 'SIGCONT').then(() => {
      wasStopped = true;
    });
    process.kill(0, 'SIGTSTP');
    await Promise.race([woken, sleep(CONTINUED_MS)]);
    for (const handler of handlers) process.on('SIGTSTP', handler);
  });
  return wasStopped;
}
