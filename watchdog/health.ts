// What the watchdog tells about itself: status.json with a heartbeat.

import { readFile } from 'node:fs/promises';
import { writeJson } from '../src/files/write-file.ts';
import { BreakerRecord, type WatchdogStatus } from '../src/protocol/handoff.ts';
import { watchdogPlaces } from '../src/watching/watchdog-places.ts';

const BEAT_MS = 2000;
const SOON_MS = 50; // what changes together is written together

export type HealthOptions = { panes(): WatchdogStatus['panes']; say(line: string): void };

export function openHealth(o: HealthOptions) {
  const { status: file, breaker } = watchdogPlaces();
  const started_at = new Date().toISOString();
  let last_error: WatchdogStatus['last_error'] = null;
  let soon: NodeJS.Timeout | null = null;
  let isOver = false;

  const status = async (): Promise<WatchdogStatus> => ({
    version: 1,
    pid: process.pid,
    started_at,
    heartbeat_at: new Date().toISOString(),
    panes: o.panes(),
    paused_until: await pausedUntil(breaker),
    last_error,
  });
  const write = async () => {
    const value = await status();
    if (isOver) return;
    await writeJson(file, value, { mode: 0o600, sync: false }).catch(error =>
      o.say(`the status cannot be written: ${error.message}`),
    );
  };
  const changed = () => {
    soon ??= setTimeout(() => {
      soon = null;
      void write();
    }, SOON_MS);
  };
  const beat = setInterval(() => void write(), BEAT_MS);

  return {
    status,
    write,
    changed,
    trouble(message: string) {
      // The same at every look is one trouble, and one line of the log.
      if (last_error?.message !== message) o.say(message);
      last_error = { at: new Date().toISOString(), message };
      changed();
    },
    close() {
      isOver = true;
      clearInterval(beat);
      if (soon !== null) clearTimeout(soon);
    },
  };
}

async function pausedUntil(file: string): Promise<string | null> {
  try {
    const { paused_until } = BreakerRecord.parse(JSON.parse(await readFile(file, 'utf8')));
    return paused_until === null || paused_until < Date.now() ? null : new Date(paused_until).toISOString();
  } catch {
    return null; // none yet
  }
}
