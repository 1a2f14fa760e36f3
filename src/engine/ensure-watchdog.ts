// The engine's wish that a watchdog runs. It is nobody's child in spirit: it outlives the engine, and a run goes
// on without it.

import { exists } from '../files/write-file.ts';
import { isWatchdogRunning } from '../watching/ask-watchdog.ts';
import { spawnWatchdog } from '../watching/start-watchdog.ts';
import { watchdogPlaces } from '../watching/watchdog-places.ts';

type Environment = Readonly<Record<string, string | undefined>>;

// Null when all is well; else why there is none. `onlyDead`: one that somebody ended stays ended; one that was killed
// had no time to take its status away.
export async function ensureWatchdog(env: Environment, o: { onlyDead?: boolean } = {}): Promise<string | null> {
  if (env.BATON_WATCHDOG === 'off') return null;
  try {
    if (await isWatchdogRunning()) return null;
    if (!o.onlyDead || (await exists(watchdogPlaces().status))) spawnWatchdog();
    return null;
  } catch (error) {
    return `no watchdog could be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
