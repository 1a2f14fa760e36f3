// The files of a handoff as bytes in the hand: read once, so that what is hashed, committed and compared is
// the same. Knows no repository.

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isInside, realTarget } from '../files/guard-path.ts';
import { NotRegular, readRegular } from '../files/read-file.ts';
import { Fault } from '../protocol/fault.ts';

export type HandoffFile = { path: string; body: Buffer; isExecutable: boolean };
export type HandoffFiles = { folder: string; written: HandoffFile[]; removed: string[] };

const MAX_BYTES = 16 * 1024 * 1024;

// Absolute, links of the folders followed, the last name as it is: the way git itself sees a file.
export async function realPlace(folder: string, file: string): Promise<string> {
  const full = path.resolve(folder, file);
  return path.join(await realTarget(path.dirname(full)), path.basename(full));
}

export async function readHandoffFiles(o: {
  folder: string;
  files: string[];
  removed: string[];
}): Promise<HandoffFiles> {
  const folder = await realTarget(path.resolve(o.folder));
  const written: HandoffFile[] = [];
  for (const file of o.files) written.push(await readOne(await realPlace(folder, file)));
  const removed: string[] = [];
  for (const file of o.removed) removed.push(await goneAt(await realPlace(folder, file)));
  if (written.length === 0)
    throw new Fault('invalid', 'No file of the handoff was named.', 'Give at least the document itself in `files`.');
  return { folder, written, removed };
}

async function readOne(file: string): Promise<HandoffFile> {
  try {
    const body = await readRegular(file, { max: MAX_BYTES });
    return { path: file, body, isExecutable: ((await lstat(file)).mode & 0o100) !== 0 };
  } catch (cause) {
    const why = cause instanceof NotRegular || cause instanceof Error ? cause.message : String(cause);
    throw new Fault('invalid', `"${file}" cannot be committed: ${why}`, 'Write the handoff document again.', { cause });
  }
}

async function goneAt(file: string): Promise<string> {
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return file;
  throw new Fault('invalid', `"${file}" is named as removed but is there.`, 'Move it first, or name it in `files`.');
}

// Where a file stands in Baton's own repository, which has no working tree.
export function nameInOwn(folder: string, file: string): string {
  return isInside(file, folder) ? path.relative(folder, file) : `outside${file}`;
}
