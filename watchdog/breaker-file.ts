// The breaker on failed handoffs, kept on the disk so that a restart does not forgive.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeJson } from '../src/files/write-file.ts';
import { afterFailure, closedBreaker } from '../src/handoff/breaker.ts';
import { BreakerRecord } from '../src/protocol/handoff.ts';

const fileIn = (state: string): string => path.join(state, 'breaker.json');

export async function readBreaker(state: string): Promise<BreakerRecord> {
  try {
    return BreakerRecord.parse(JSON.parse(await readFile(fileIn(state), 'utf8')));
  } catch {
    return closedBreaker;
  }
}

// One after the other: two that fail at once are two.
let writing: Promise<void> = Promise.resolve();

export function noteFailure(state: string): Promise<void> {
  const note = async () => writeJson(fileIn(state), afterFailure(await readBreaker(state), Date.now()));
  const noted = writing.then(note);
  writing = noted.catch(() => {}); // told to whoever asked for it
  return noted;
}
