// Pipes, sockets and devices have no content a checkpoint could hold. Those that were there when it was made
// and still are move over into the restored tree, so that a rollback takes none of them away.

import { lstat, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realTarget } from '../files/guard-path.ts';
import { setStamp } from '../files/move-tree.ts';
import type { Manifest } from './manifest.ts';

// old: the folder with what was replaced, one numbered tree per place.
export async function keepSpecial(manifest: Manifest, old: string): Promise<void> {
  for (const name of manifest.skipped) {
    const [, index = '', ...below] = name.split('/');
    const place = /^\d{1,9}$/.test(index) ? manifest.covered[Number(index)]?.path : undefined;
    const isPlain = below.length > 0 && below.every(part => part !== '' && part !== '.' && part !== '..');
    if (place === undefined || !isPlain) continue;
    const [from, to] = [join(old, index, ...below), join(place, ...below)];
    if (!(await isSpecial(from)) || (await lstat(to).catch(() => null)) !== null) continue;
    // The names come from the archive: they lead through no link, neither here nor there.
    if (!(await isStraight(from)) || !(await isStraight(to))) continue;
    const { mode, mtimeMs } = await lstat(dirname(to));
    // The rollback has succeeded; a pipe that cannot come along (another file system) does not undo that.
    const hasMoved = await rename(from, to).then(
      () => true,
      () => false,
    );
    if (hasMoved) await setStamp(dirname(to), { kind: 'folder', mode: mode & 0o7777, mtimeMs });
  }
}

async function isSpecial(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink();
}

async function isStraight(path: string): Promise<boolean> {
  const folder = dirname(path);
  const isThere = await lstat(folder).then(
    stats => stats.isDirectory(),
    () => false,
  );
  return isThere && (await realTarget(folder)) === folder;
}
