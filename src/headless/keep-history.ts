// An agent's history of continuations on the disk: one small file each in the state folder. What is in it is
// decided in src/chain/record-continuation.ts.

import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { continuationWarning, emptyHistory, recordContinuation } from '../chain/record-continuation.ts';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import { acquireLock, type Lock } from '../lock/lock.ts';
import { type ChainRun, ContinuationHistory } from '../protocol/chain.ts';
import { Fault } from '../protocol/fault.ts';

// Writers hold it for a few milliseconds; many agents of one name may end together.
const LOCK_PATIENCE_MS = 20_000;
const LOCK_PAUSE_MS = 50;

// Names are the agents' own and may be too long or odd for a file; the file tells which it is.
export const historyFile = (stateFolder: string, agent: string): string =>
  path.join(stateFolder, 'agents', `${createHash('sha256').update(agent).digest('hex').slice(0, 24)}.json`);

export async function readHistory(stateFolder: string, agent: string): Promise<ContinuationHistory> {
  const file = historyFile(stateFolder, agent);
  return (await exists(file)) ? readJson(file, ContinuationHistory) : emptyHistory(agent);
}

export async function keepRun(
  stateFolder: string,
  agent: string,
  run: ChainRun,
): Promise<{ history: ContinuationHistory; warning: string | null }> {
  const file = historyFile(stateFolder, agent);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const lock = await waitForLock(`${file}.lock`, agent);
  try {
    const before = await readHistory(stateFolder, agent);
    // An engine that was killed while it ended an attempt ends it again: the run is the same.
    if (before.recent.some(known => isDeepStrictEqual(known, run)))
      return { history: before, warning: continuationWarning(before) };
    const history = recordContinuation(before, run);
    await writeJson(file, history, { mode: 0o600 });
    return { history, warning: continuationWarning(history) };
  } finally {
    lock.release();
  }
}

async function waitForLock(file: string, agent: string): Promise<Lock> {
  const until = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    const lock = await acquireLock(file, { what: `history of ${agent}` });
    if (lock.held) return lock;
    if (performance.now() >= until)
      throw new Fault('refused', `the history of "${agent}" is held by another process`, 'try again later');
    await sleep(LOCK_PAUSE_MS);
  }
}
