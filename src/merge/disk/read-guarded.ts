// The only way the merge reads what an agent may have written. A path is opened only when it is an
// ordinary file, without following a link, and is used only when what was opened is what stands at the
// one real place it may have. So a link swapped in at any moment leads nowhere.

import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Leaf } from '../leaf.ts';
import { MergeStop } from '../merge-stop.ts';

// Up to here a file is read at once and may be compared and merged; larger ones are only streamed.
export const WHOLE_BYTES = 8 * 1024 * 1024;

// O_NONBLOCK: should a FIFO be swapped in after the lstat, the open must not wait for its writer.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type Place = { source: string; real: string };

export async function withGuarded<T>(place: Place, use: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  const seen = await lstat(place.source);
  if (!seen.isFile()) throw new MergeStop(`${place.source} is not an ordinary file`);
  const handle = await open(place.source, FLAGS);
  try {
    const [opened, real] = await Promise.all([handle.stat(), realpath(place.source)]);
    const now = await lstat(real);
    const isSame = opened.isFile() && real === place.real && now.ino === opened.ino && now.dev === opened.dev;
    if (!isSame) throw new MergeStop(`${place.source} was exchanged while it was being merged`);
    return await use(handle, opened);
  } finally {
    await handle.close();
  }
}

export type Content = Pick<Leaf, 'sha256' | 'bytes' | 'body' | 'executable'>;

export async function readGuarded(place: Place): Promise<Content> {
  return withGuarded(place, async (handle, { size, mode }) => {
    const executable = (mode & 0o111) !== 0;
    if (size <= WHOLE_BYTES) {
      const body = await handle.readFile();
      return { sha256: sha256Of(body), bytes: body.length, body, executable };
    }
    let bytes = 0;
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(handle)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { sha256: hash.digest('hex'), bytes, body: null, executable };
  });
}

// The content of a leaf, whole; null when it is too large for that.
export async function readBody(leaf: Leaf): Promise<Buffer | null> {
  if (leaf.body || leaf.bytes > WHOLE_BYTES) return leaf.body;
  const { sha256, body } = await readGuarded(leaf);
  if (sha256 !== leaf.sha256) throw changed(leaf);
  return body;
}

// Copies a leaf into an open file, and proves by its hash that it is the version that was decided on.
export async function copyBody(leaf: Leaf, into: FileHandle): Promise<void> {
  const body = await readBody(leaf);
  if (body) return into.writeFile(body);
  await withGuarded(leaf, async handle => {
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(handle)) {
      hash.update(chunk);
      await into.writeFile(chunk);
    }
    if (hash.digest('hex') !== leaf.sha256) throw changed(leaf);
  });
}

function chunksOf(handle: FileHandle): AsyncIterable<Buffer> {
  return handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 1024 * 1024 });
}

const changed = (leaf: Leaf) => new MergeStop(`${leaf.source} changed while it was being merged; run the merge again`);

export const sha256Of = (body: Uint8Array | string) => createHash('sha256').update(body).digest('hex');

export function isInside(child: string, folder: string): boolean {
  const relative = path.relative(folder, child);
  return relative === '' || (relative !== '..' && !relative.startsWith('../') && !path.isAbsolute(relative));
}
