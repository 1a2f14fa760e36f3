// The breaker on failed handoffs, kept on the disk so that a restart does not forgive.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeJson } from '../src/files/write-file.ts';
import { afterFailure, afterSuccess, closedBreaker } from '../src/handoff/breaker.ts';
import { BreakerRecord } from '../src/protocol/handoff.ts';

const fileIn = (state: string): string => path.join(state, 'breaker.json');

export async function readBreaker(state: string): Promise<BreakerRecord> {
  try {
    return BreakerRecord.parse(JSON.parse(await readFile(fileIn(state), 'utf8')));
  } catch {
    return closedBreaker;
  }
}

export async function noteEnd(state: string, hasFailed: boolean): Promise<void> {
  const breaker = await readBreaker(state);
  const next = hasFailed ? afterFailure(breaker, Date.now()) : afterSuccess(breaker);
  if (next !== breaker) await writeJson(fileIn(state), next);
}
