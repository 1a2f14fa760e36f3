// Writes what was decided: unchanged copies to merge/kept/, the result to merged.tmp, which then becomes merged/.

import { mkdir, open, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Entry, Leaf } from '../leaf.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { moveAside, type Places, syncFolder } from './places.ts';
import { copyBody } from './read-guarded.ts';

export type Keepsake = { sha256: string; leaf: Leaf | null; body: Buffer | null };

// Written again even where a copy stands already: an agent could have put something else there.
export async function keepCopies(keepsakes: Keepsake[], places: Places): Promise<void> {
  const distinct = [...new Map(keepsakes.map(one => [one.sha256, one])).values()];
  await inBatches(distinct, FILES_AT_ONCE, async ({ sha256, leaf, body }) => {
    const draft = `${places.keptAt(sha256)}.tmp`;
    await rm(draft, { recursive: true, force: true });
    await writeNew(draft, { from: leaf, body, mode: 0o600, isSynced: false });
    await rename(draft, places.keptAt(sha256));
  });
}

export async function buildMerged(entries: Entry[], places: Places): Promise<void> {
  await mkdir(places.building);
  const folders = new Set(entries.map(entry => (entry.kind === 'folder' ? entry.path : path.dirname(entry.path))));
  // In sorted order a parent is made by its first child, so each call makes only what is new.
  for (const folder of [...folders].sort()) await mkdir(path.join(places.building, folder), { recursive: true });
  await inBatches(
    entries.filter(entry => entry.kind === 'file'),
    FILES_AT_ONCE,
    ({ path: at, from, body, executable }) => {
      const mode = executable ? 0o755 : 0o644;
      return writeNew(path.join(places.building, at), { from, body, mode, isSynced: at === 'integrated.ctxp' });
    },
  );
  // Links last: nothing is ever written through one.
  for (const { kind, path: at, from } of entries) {
    if (kind === 'link') await symlink(String(from!.body), path.join(places.building, at));
  }
}

// The moment the merge happens. An older merged/ is moved aside, not lost.
export async function publishMerged(places: Places): Promise<void> {
  await retireMerged(places);
  await rename(places.building, places.merged);
  await syncFolder(places.workspace);
}

export async function retireMerged(places: Places): Promise<void> {
  await moveAside(places.merged, n => `${places.merged}.${n}`);
}

type New = { from: Leaf | null; body: Buffer | null; mode: number; isSynced: boolean };

async function writeNew(file: string, { from, body, mode, isSynced }: New): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    if (body) await handle.writeFile(body);
    else await copyBody(from!, handle);
    if (isSynced) await handle.sync();
  } finally {
    await handle.close();
  }
}
