// The engine's wish that a watchdog runs. It is nobody's child in spirit: it outlives the engine, and a run goes
// on without it.

import { isWatchdogRunning } from '../watching/ask-watchdog.ts';
import { spawnWatchdog } from '../watching/start-watchdog.ts';

// Null when all is well; else why there is none.
export async function ensureWatchdog(env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  if (env.BATON_WATCHDOG === 'off') return null;
  try {
    if (!(await isWatchdogRunning())) spawnWatchdog();
    return null;
  } catch (error) {
    return `no watchdog could be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
