// Puts the covered places back exactly as the checkpoint has them. Unpack and prove everything first, then
// swap place by place; what is replaced is kept until the end, and any failure puts all of it back.

import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, PathEscape } from '../files/guard-path.ts';
import { copyTree, moveTree, removeTree } from '../files/move-tree.ts';
import { Fault } from '../protocol/fault.ts';
import { extractCheckpoint } from './extract-checkpoint.ts';
import { findPlaces, type Places } from './find-places.ts';
import { keepSpecial } from './keep-special.ts';
import type { Manifest } from './manifest.ts';
import { isThere, type Journal, settleEarlier, undoSwaps, writeJournal } from './rollback-journal.ts';

// `onStep` is told before and after each deed; tests stop a rollback there.
export type RollbackOptions = Places & { onStep?: (step: string) => void | Promise<void> };

export async function rollbackCheckpoint(o: RollbackOptions): Promise<{ restored: string[] }> {
  const places = await findPlaces(o).catch(refuseEscape);
  const baton = await makeFolder(join(o.workspace, '.baton'), [o.workspace]).catch(refuseEscape);
  await settleEarlier(baton, places);
  const folder = join(baton, `rollback-${randomUUID()}`);
  for (const path of [folder, join(folder, 'new'), join(folder, 'old')]) await mkdir(path, { mode: 0o700 });
  const manifest = await unpack(o, places, folder);
  await swapAll(o, manifest, folder);
  await keepSpecial(manifest, join(folder, 'old'));
  await removeTree(folder);
  return { restored: places };
}

async function unpack(o: RollbackOptions, places: string[], folder: string): Promise<Manifest> {
  try {
    const manifest = await extractCheckpoint(o.file, places, join(folder, 'new'));
    await o.onStep?.('unpacked');
    return manifest;
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

async function swapAll(o: RollbackOptions, manifest: Manifest, folder: string): Promise<void> {
  const places = manifest.covered.map(covered => covered.path);
  const had = await Promise.all(places.map(isThere));
  let journal: Journal = { version: 1, phase: 'swapping', at: -1, places, had };
  try {
    for (const index of places.keys()) {
      journal = { ...journal, at: index };
      await writeJournal(folder, journal);
      await o.onStep?.(`noted ${index}`);
      await swapOne(o, manifest, { folder, index, had: had[index] ?? false });
    }
    await writeJournal(folder, { ...journal, phase: 'done' });
  } catch (cause) {
    await putBack(folder, journal, cause);
  }
  await o.onStep?.('done');
}

async function swapOne(
  o: RollbackOptions,
  manifest: Manifest,
  swap: { folder: string; index: number; had: boolean },
): Promise<void> {
  const covered = manifest.covered[swap.index];
  // A special file has no content to bring back: it stays as it is.
  if (!covered || covered.kind === 'other') return;
  const place = covered.path;
  if (swap.had) await moveTree(place, join(swap.folder, 'old', String(swap.index)));
  await o.onStep?.(`taken ${swap.index}`);
  if (!covered.existed) return;
  const parent = await makeFolder(dirname(place), o.roots);
  if (parent !== dirname(place)) throw new PathEscape(place, parent, `now stands in "${parent}"`);
  await placeTree(join(swap.folder, 'new', String(swap.index)), place);
  await o.onStep?.(`placed ${swap.index}`);
}

// Not moveTree: its temp file would stand beside the place, where a kill could leave it for ever. A half
// copied place is known from the journal and undone.
async function placeTree(from: string, place: string): Promise<void> {
  await rename(from, place).catch(async error => {
    if (error.code === 'EACCES') return moveTree(from, place);
    if (error.code === 'EXDEV') return copyTree(from, place);
    throw error;
  });
}

async function putBack(folder: string, journal: Journal, cause: unknown): Promise<never> {
  const why = cause instanceof Error ? cause.message : String(cause);
  try {
    await undoSwaps(folder, journal);
  } catch (error) {
    const message = `The rollback failed (${why}), and so did undoing it (${(error as Error).message}).`;
    throw new Fault('failure', message, `What was replaced is in "${folder}/old"; the next rollback goes on there.`, {
      cause,
    });
  }
  await removeTree(folder);
  throw new Fault('failure', `The rollback failed and was undone: ${why}`, 'Remove the cause and try again.', {
    cause,
  });
}

function refuseEscape(error: unknown): never {
  if (!(error instanceof PathEscape)) throw error;
  const cure = 'A link was put there since the request was accepted. Remove it and try again.';
  throw new Fault('refused', `Nothing was rolled back: ${error.message}.`, cure, { cause: error });
}
