// Opens a checkpoint and reads its manifest; the one place where a broken archive becomes a Fault.

import type { FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { NotRegular, openRegular } from '../files/read-file.ts';
import { Fault } from '../protocol/fault.ts';
import { MANIFEST_NAME, MAX_MANIFEST_BYTES, type Manifest, parseManifest } from './manifest.ts';
import { OddArchive, type ReadEntry, readTar } from './read-tar.ts';

export type Span = { start?: number; end?: number; part?: boolean };

// Gives all entries of the archive, or of one member of it, to `use`.
export async function readEntries<T>(
  handle: FileHandle,
  span: Span,
  use: (entries: AsyncGenerator<ReadEntry>) => Promise<T>,
): Promise<T> {
  const { start = 0, end, part = false } = span;
  const source = handle.createReadStream({ autoClose: false, start, ...(end === undefined ? {} : { end }) });
  const unpacked = createGunzip();
  source.on('error', error => unpacked.destroy(error));
  try {
    return await use(readTar(source.pipe(unpacked), { part }));
  } finally {
    // Whoever has seen enough stops early; Node's pipeline() would wait for the rest.
    source.destroy();
    unpacked.destroy();
  }
}

export async function readManifest(entries: AsyncGenerator<ReadEntry>): Promise<Manifest> {
  const { value: first, done } = await entries.next();
  if (done || first.name !== MANIFEST_NAME || first.type !== '0')
    throw new OddArchive('it does not begin with a manifest');
  if (first.size > MAX_MANIFEST_BYTES) throw new OddArchive('its manifest is too long');
  const chunks: Buffer[] = [];
  for await (const chunk of first.content) chunks.push(chunk);
  return parseManifest(Buffer.concat(chunks).toString('utf8'));
}

export async function withArchive<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle | null = null;
  try {
    handle = await openRegular(file);
    return await use(handle);
  } catch (error) {
    throw toFault(file, error);
  } finally {
    await handle?.close();
  }
}

function toFault(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const cure = 'Nothing was changed. Restore the files from another source, such as git.';
  if (code === 'ENOENT') return new Fault('refused', `There is no checkpoint at "${file}".`, cure, { cause: error });
  const isOdd = error instanceof OddArchive || error instanceof NotRegular || code.startsWith('Z_');
  if (!isOdd) return error;
  return new Fault('invalid', `The checkpoint "${file}" cannot be trusted: ${message}.`, cure, { cause: error });
}
