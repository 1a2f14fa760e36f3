// What one file held when the checkpoint was made: the base of a three-way merge. Reads only the
// gzip member the file stands in, and believes nothing whose hash is wrong.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isInside } from '../files/guard-path.ts';
import { placeOf } from './find-places.ts';
import type { Listed, Manifest } from './manifest.ts';
import { readEntries, readManifest, withArchive } from './open-archive.ts';
import { OddArchive } from './read-tar.ts';

export type Checkpoint = {
  manifest: Manifest;
  // The content of a regular file; null when there was none at that path.
  read(absolutePath: string): Promise<Buffer | null>;
};

export async function readCheckpointFile(file: string, absolutePath: string): Promise<Buffer | null> {
  return (await openCheckpoint(file)).read(absolutePath);
}

// Reads the manifest once. Holds nothing open, so there is nothing to close.
export async function openCheckpoint(file: string): Promise<Checkpoint> {
  const manifest = await withArchive(file, handle => readEntries(handle, {}, readManifest));
  const byName = new Map(manifest.files.map(listed => [listed.name, listed]));
  const read = async (path: string) => {
    const name = nameIn(manifest, resolve(path)) ?? nameIn(manifest, await placeOf(path));
    const listed = name === null ? undefined : byName.get(name);
    if (listed?.kind !== 'file') return null;
    return withArchive(file, handle => readListed(handle, manifest, listed));
  };
  return { manifest, read };
}

function nameIn(manifest: Manifest, path: string): string | null {
  const index = manifest.covered.findIndex(covered => isInside(path, covered.path));
  if (index < 0) return null;
  const below = relative(manifest.covered[index]?.path ?? '', path);
  return `roots/${index}${below === '' ? '' : `/${below}`}`;
}

async function readListed(handle: FileHandle, manifest: Manifest, listed: Listed): Promise<Buffer> {
  const [from, to, all] = [manifest.parts[listed.part], manifest.parts[listed.part + 1], manifest.parts.at(-1)];
  const bodyStart = (await handle.stat()).size - (all ?? 0);
  if (from === undefined || to === undefined || to <= from || bodyStart < 0) throw new OddArchive('its index is wrong');
  const span = { start: bodyStart + from, end: bodyStart + to - 1, part: true };
  return readEntries(handle, span, async entries => {
    for await (const entry of entries) {
      if (entry.name !== listed.name) continue;
      if (entry.type !== '0' || entry.size !== listed.size) break;
      const chunks: Buffer[] = [];
      for await (const chunk of entry.content) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      if (createHash('sha256').update(content).digest('hex') === listed.sha256) return content;
      break;
    }
    throw new OddArchive(`"${listed.name}" is not in it as its manifest says`);
  });
}
