// Files of a project, which somebody else may have arranged: every path is followed to its end first and must
// stay inside. Texts are latin1, so that they go back as they came.

import { chmod, link, lstat, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, PathEscape, resolveInside } from '../files/guard-path.ts';
import { NotRegular, readRegular } from '../files/read-file.ts';
import { syncFolder, tempBeside, writeFileAtomic } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';

const MAX_BYTES = 16 * 1024 * 1024;

// Where a path of the project really is; a Fault when this is outside of it.
export async function placeIn(folder: string, name: string): Promise<string> {
  try {
    return await resolveInside(path.join(folder, name), [folder]);
  } catch (error) {
    if (!(error instanceof PathEscape)) throw error;
    const cure = 'replace the symlink by a file or folder of the project, or set another path in baton.json';
    throw new Fault('refused', `"${name}" leads to "${error.resolved}", outside of the project`, cure, {
      cause: error,
    });
  }
}

export async function readText(file: string): Promise<string | null> {
  try {
    return (await readRegular(file, { max: MAX_BYTES })).toString('latin1');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT') return null;
    const why =
      code === 'ENOTDIR'
        ? 'lies below a file'
        : error instanceof NotRegular
          ? 'is not a regular file'
          : code || String(error);
    throw new Fault('refused', `"${file}" ${why}`, 'move what is there away', { cause: error });
  }
}

// Whole or not at all, and never over something: false when something is there already.
export async function createText(folder: string, file: string, text: string): Promise<boolean> {
  await makeFolder(path.dirname(file), [folder]);
  const temp = tempBeside(file);
  await writeFileAtomic(temp, Buffer.from(text, 'latin1'));
  try {
    await link(temp, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temp, { force: true });
  }
  await syncFolder(path.dirname(file));
  return true;
}

// In the place of exactly the text that was looked at; what came in between wins.
export async function replaceText(file: string, seen: string, text: string): Promise<void> {
  await mustStillBe(file, seen);
  const { mode } = await stat(file);
  await writeFileAtomic(file, Buffer.from(text, 'latin1'), { mode: mode & 0o777 });
  await chmod(file, mode & 0o777); // what the umask took
}

export async function removeText(file: string, seen: string): Promise<void> {
  await mustStillBe(file, seen);
  await rm(file);
}

async function mustStillBe(file: string, seen: string): Promise<void> {
  if ((await readText(file)) === seen) return;
  throw new Fault('refused', `"${file}" was changed in this very moment; it was left as it is`, 'try again');
}

export const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
