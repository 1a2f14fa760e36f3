// Speaking to the running watchdog: one JSON line in, one JSON line out, on a socket only its user may open.

import { createConnection } from 'node:net';
import { isLocked } from '../lock/lock.ts';
import type { HandoffReason, WatchdogStatus } from '../protocol/handoff.ts';
import { watchdogPlaces } from './watchdog-places.ts';

export type WatchdogWish =
  | { do: 'stop' }
  | { do: 'status' }
  | { do: 'rescan' }
  | { do: 'handoff'; socket: string; pane: string; reason: HandoffReason };
export type WatchdogAnswer = { ok: boolean; message: string; pid: number; status?: WatchdogStatus };

export const ANSWER_MS = 15_000;

// null: no watchdog listens.
export function askWatchdog(wish: WatchdogWish, limitMs = ANSWER_MS): Promise<WatchdogAnswer | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(watchdogPlaces().socket);
    let text = '';
    socket.setTimeout(limitMs, () =>
      socket.destroy(new Error(`the watchdog did not answer within ${limitMs / 1000} s`)),
    );
    socket.on('connect', () => socket.write(`${JSON.stringify(wish)}\n`));
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('end', () => {
      try {
        resolve(text === '' ? null : (JSON.parse(text) as WatchdogAnswer));
      } catch (cause) {
        reject(new Error('the watchdog answered with something that is not JSON', { cause }));
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') resolve(null);
      else reject(error);
    });
  });
}

// The lock is the proof: a socket may be left over, and a watchdog that hangs answers nothing.
export async function isWatchdogRunning(): Promise<boolean> {
  return (await isLocked(watchdogPlaces().lock)) !== null;
}
