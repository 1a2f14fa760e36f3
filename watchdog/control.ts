// The wishes the running watchdog takes: one JSON line in, one JSON line out, on a socket only its user may open.

import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { HandoffReason } from '../src/protocol/handoff.ts';
import { ANSWER_MS, type WatchdogAnswer, type WatchdogWish } from '../src/watching/ask-watchdog.ts';
import { watchdogPlaces } from '../src/watching/watchdog-places.ts';

const MAX_LINE = 64 * 1024;

export type Take = (wish: WatchdogWish) => Promise<Omit<WatchdogAnswer, 'pid'>>;
export type Control = { isStanding(): boolean; close(): void };

export async function openControl(take: Take): Promise<Control> {
  const file = watchdogPlaces().socket;
  rmSync(file, { force: true }); // ours by the lock: whoever made it is gone
  const server = createServer({ allowHalfOpen: true }, socket => {
    let text = '';
    let isTaken = false;
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('end', () => {
      if (!isTaken) socket.destroy();
    });
    socket.on('data', chunk => {
      text += chunk;
      if (text.length > MAX_LINE) return socket.destroy();
      if (isTaken || !text.includes('\n')) return;
      isTaken = true;
      void answerTo(text, take).then(answer => socket.end(`${JSON.stringify({ ...answer, pid: process.pid })}\n`));
    });
  });
  await listen(server, file);
  const made = lstatSync(file).ino;
  return {
    // Without its socket nobody finds it again, and its folder may be gone with its lock.
    isStanding: () => lstatSync(file, { throwIfNoEntry: false })?.ino === made,
    close() {
      server.close();
      if (lstatSync(file, { throwIfNoEntry: false })?.ino === made) rmSync(file, { force: true });
    },
  };
}

function listen(server: Server, file: string): Promise<void> {
  const before = process.umask(0o177);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, () => {
      chmodSync(file, 0o600);
      resolve();
    });
    process.umask(before);
  });
}

async function answerTo(line: string, take: Take): Promise<Omit<WatchdogAnswer, 'pid'>> {
  try {
    const wish = JSON.parse(line) as WatchdogWish;
    return isKnown(wish) ? await take(wish) : { ok: false, message: 'this watchdog does not know that wish' };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function isKnown(wish: WatchdogWish): boolean {
  if (wish?.do === 'handoff')
    return (
      typeof wish.socket === 'string' && typeof wish.pane === 'string' && HandoffReason.safeParse(wish.reason).success
    );
  return ['stop', 'status', 'rescan'].includes(wish?.do);
}
