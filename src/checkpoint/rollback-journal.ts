// Where a rollback stands, on the disk, so that the next call can undo one that was killed. It holds no
// place that is believed: places always come from the request and must agree with what is written here.

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { moveTree, removeTree } from '../files/move-tree.ts';
import { readRegular } from '../files/read-file.ts';
import { writeJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';

// `at` is the place being swapped: none after it was touched. `had` says what existed before the rollback.
export type Journal = { version: 1; phase: 'swapping' | 'done'; at: number; places: string[]; had: boolean[] };

const NAME = 'journal.json';

export async function writeJournal(folder: string, journal: Journal): Promise<void> {
  await writeJson(join(folder, NAME), journal, { mode: 0o600 });
}

// Undoes what a killed rollback left, or clears away what a finished one did not.
export async function settleEarlier(baton: string, places: readonly string[]): Promise<void> {
  for (const name of (await readdir(baton)).filter(name => name.startsWith('rollback-')).sort()) {
    const folder = join(baton, name);
    if (!(await lstat(folder)).isDirectory()) continue;
    const journal = await readJournal(folder);
    // Without a journal no place was touched yet.
    if (journal?.phase === 'swapping') await undoSwaps(folder, checked(journal, places, folder));
    await removeTree(folder);
  }
}

// Puts back, last first, whatever was taken. Each step may be repeated after another kill.
export async function undoSwaps(folder: string, journal: Journal): Promise<void> {
  for (const part of ['old', 'new']) {
    if (!(await lstat(join(folder, part))).isDirectory()) throw unclear(folder);
  }
  for (let index = Math.min(journal.at, journal.places.length - 1); index >= 0; index -= 1) {
    const place = journal.places[index] as string;
    const old = join(folder, 'old', String(index));
    if (!journal.had[index]) await removeTree(place);
    else if (await isThere(old)) {
      await removeTree(place);
      await moveTree(old, place);
    }
  }
}

export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    error => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

async function readJournal(folder: string): Promise<Journal | null> {
  let text: string;
  try {
    text = (await readRegular(join(folder, NAME), { max: 16 * 1024 * 1024 })).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unclear(folder);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw unclear(folder);
  }
}

function checked(journal: Journal, places: readonly string[], folder: string): Journal {
  const { version, at, had } = journal;
  const agrees = JSON.stringify(journal.places) === JSON.stringify(places);
  const sound = version === 1 && Number.isInteger(at) && Array.isArray(had) && had.length === places.length;
  if (!agrees || !sound || !had.every(item => typeof item === 'boolean')) throw unclear(folder);
  return { ...journal, places: [...places] };
}

function unclear(folder: string): Fault {
  const message = `An earlier rollback was broken off and its notes in "${folder}" do not fit this execution.`;
  return new Fault('refused', message, `Look into "${folder}/old" for files to keep, remove the folder, try again.`);
}
