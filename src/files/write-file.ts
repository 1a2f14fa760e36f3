// Files that are whole or not there: temp in the same folder, fsync, rename, fsync of the folder.
// A symlink at the place is replaced, never written through.

import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../protocol/fault.ts';
import { type ReadOptions, readRegular } from './read-file.ts';

const SMALL = 16 * 1024;

export type WriteOptions = { mode?: number; sync?: boolean };

// A name of its own length: a name near the 255 bytes of the file system still finds room.
export function tempBeside(file: string): string {
  return join(dirname(file), `.tmp-${randomUUID()}`);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function writeFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const { mode = 0o644, sync = true } = options;
  const temp = tempBeside(file);
  if (!sync && data.length <= SMALL) return writeSmall(file, temp, data, mode);
  try {
    const handle = await open(temp, 'wx', mode);
    try {
      await handle.writeFile(data);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  if (sync) await syncFolder(dirname(file));
}

// Five trips to the thread pool cost ten times what the writing does, and a hundred agents write hundreds of these.
function writeSmall(file: string, temp: string, data: string | Uint8Array, mode: number): void {
  try {
    writeFileSync(temp, data, { flag: 'wx', mode });
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

export async function writeJson(file: string, value: unknown, options: WriteOptions = {}): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, options);
}

// A missing or special file is thrown as it is (ENOENT, NotRegular); what cannot be understood is a Fault.
export async function readJson<T>(
  file: string,
  schema: { parse(value: unknown): T },
  options: ReadOptions = {},
): Promise<T> {
  const text = (await readRegular(file, options)).toString('utf8');
  const cure = 'Correct the file, or remove it so that it can be written again.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid', `"${file}" is not valid JSON: ${(cause as Error).message}`, cure, { cause });
  }
  try {
    return schema.parse(value);
  } catch (cause) {
    throw new Fault('invalid', `"${file}" does not have the expected form: ${describe(cause)}`, cure, { cause });
  }
}

function describe(error: unknown): string {
  const issues = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues;
  if (!Array.isArray(issues)) return error instanceof Error ? error.message : String(error);
  const shown = issues.slice(0, 5).map(issue => `${issue.path.map(String).join('.') || '(top)'}: ${issue.message}`);
  return shown.join('; ') + (issues.length > 5 ? `; and ${issues.length - 5} more` : '');
}

export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return false;
    throw error;
  }
}
