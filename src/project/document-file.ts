// What lies at the place of a document: nothing, a text, or something that cannot be read as one. The last is not
// "nothing": whoever wrote it wants it back. `hash` tells two of them apart, and stays the same when it is moved.

import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { realTarget } from '../files/guard-path.ts';
import { readRegular } from '../files/read-file.ts';
import { DEFAULT_TEMPLATE } from '../handoff/template.ts';

export type DocumentFile =
  | { is: 'none'; hash: null }
  | { is: 'text'; hash: string; bytes: Buffer }
  | { is: 'unusable'; hash: string; why: string };

// A file as large as this is no document; it is not read whole every second.
const MAX_BYTES = 4 * 1024 * 1024;

const none: DocumentFile = { is: 'none', hash: null };

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

// `file` has its links resolved: one on the way was put there since.
export async function readDocumentFile(file: string): Promise<DocumentFile> {
  const folder = path.dirname(file);
  try {
    const real = await realTarget(folder);
    if (real !== folder) return { is: 'unusable', hash: `moved ${real}`, why: `its folder leads to "${real}" now` };
    const stats = await lstat(file, { bigint: true });
    const hash = `file ${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    const unusable = (why: string): DocumentFile => ({ is: 'unusable', hash, why });
    if (stats.isSymbolicLink()) return unusable('it is a symlink; a plain file must be there');
    if (!stats.isFile()) return unusable('it is not a plain file');
    if (stats.size > MAX_BYTES) return unusable(`it has ${stats.size} bytes; at most ${MAX_BYTES} can be read`);
    try {
      const bytes = await readRegular(file, { max: MAX_BYTES });
      return { is: 'text', hash: sha256(bytes), bytes };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return none;
      return unusable(`it cannot be read (${codeOf(error)})`);
    }
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? none : { is: 'unusable', hash: code, why: `it cannot be looked at (${code})` };
  }
}

// An empty one asks for nothing; then, as without one, it is the built-in.
export async function readTemplate(file: string): Promise<string> {
  const found = await readDocumentFile(file);
  const text = found.is === 'text' ? found.bytes.toString('utf8') : '';
  return text.trim() === '' ? DEFAULT_TEMPLATE : text;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
