// The line of `baton doctor` about the watchdog. That none runs is nothing bad: an engine starts it when needed.

import { readJson } from '../files/write-file.ts';
import { WatchdogStatus } from '../protocol/handoff.ts';
import { counted } from '../text/span-text.ts';
import { isWatchdogRunning } from '../watching/ask-watchdog.ts';
import { watchdogPlaces } from '../watching/watchdog-places.ts';
import type { Finding } from './check-folders.ts';

const what = 'watchdog';
// It beats every 2 s.
const STALE_MS = 15_000;

export async function checkWatchdog(now = Date.now()): Promise<Finding> {
  const isRunning = await isWatchdogRunning().catch(() => false);
  if (!isRunning) return { what, state: 'good', finding: 'not running; `baton watchdog start` starts it', cure: null };
  const status = await readJson(watchdogPlaces().status, WatchdogStatus).catch(() => null);
  if (status === null)
    return { what, state: 'note', finding: 'running, without a status', cure: `see ${watchdogPlaces().log}` };
  const { pid, panes, heartbeat_at, paused_until, last_error } = status;
  const age = now - Date.parse(heartbeat_at);
  const running = `running as process ${pid}, ${counted(panes.length, 'pane')}`;
  if (age > STALE_MS) {
    const cure = `kill ${pid}; baton watchdog start`;
    return { what, state: 'note', finding: `${running}, but silent for ${Math.round(age / 1000)} s`, cure };
  }
  if (paused_until !== null)
    return {
      what,
      state: 'note',
      finding: `${running}; no handoff begins before ${paused_until}`,
      cure: 'three of them failed: `baton watchdog status`',
    };
  const trouble = last_error === null ? '' : `; last error: ${last_error.message}`;
  return { what, state: 'good', finding: `${running}${trouble}`, cure: null };
}
