// The folders and files of the workspace that belong to the merge, and how they are written.

import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { MergeStop } from '../merge-stop.ts';
import { isInside } from './read-guarded.ts';

export type Places = ReturnType<typeof placesIn>;

export function placesIn(workspace: string) {
  const merge = path.join(workspace, 'merge');
  const kept = path.join(merge, 'kept');
  return {
    workspace,
    merge,
    kept,
    keptAt: (sha256: string) => path.join(kept, sha256),
    record: path.join(merge, 'record.json'),
    merged: path.join(workspace, 'merged'),
    building: path.join(workspace, 'merged.tmp'),
    conflicts: path.join(workspace, 'conflicts.json'),
  };
}

// Makes our folders and clears away what a merge that was cut off left behind.
export async function openPlaces(places: Places): Promise<void> {
  for (const folder of [places.merge, places.kept]) {
    await mkdir(folder, { mode: 0o700 }).catch(error => {
      if (error.code !== 'EEXIST') throw error;
    });
    const isFolder = (await lstat(folder)).isDirectory();
    if (!isFolder) throw new MergeStop(`${folder} belongs to the merge and must be a folder; move it away`);
  }
  await clearBuilding(places);
  const scratch = (await readdir(places.merge)).filter(name => name.startsWith('tmp-') || name.endsWith('.tmp'));
  const drafts = (await readdir(places.kept)).filter(name => name.endsWith('.tmp'));
  const left = [
    ...scratch.map(name => path.join(places.merge, name)),
    ...drafts.map(name => path.join(places.kept, name)),
    `${places.conflicts}.tmp`,
  ];
  for (const place of left) await rm(place, { recursive: true, force: true });
}

export async function clearBuilding(places: Places): Promise<void> {
  await rm(places.building, { recursive: true, force: true });
}

// An output in our own folders would be moved or overwritten by us. null: none is.
export function checkApart(agents: { name: string; outputs: Record<string, string> }[], places: Places): string | null {
  const ours = [places.merge, places.merged, places.building, places.conflicts];
  for (const { name, outputs } of agents) {
    for (const root of Object.values(outputs)) {
      const own = ours.find(place => isInside(root, place) || isInside(place, root));
      if (own)
        return `the output ${root} of agent "${name}" overlaps ${own}, which belongs to the merge; give it another path`;
    }
  }
  return null;
}

// Moves a file or folder aside to the first free "<name>.<n><ending>".
export async function moveAside(file: string, toName: (n: number) => string): Promise<void> {
  if (!(await exists(file))) return;
  for (let n = 1; ; n++) {
    if (await exists(toName(n))) continue;
    return rename(file, toName(n));
  }
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    error => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

// Whole or not at all, and on the disk before this returns.
export async function writeJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.tmp`;
  await rm(draft, { recursive: true, force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await syncFolder(path.dirname(file));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
