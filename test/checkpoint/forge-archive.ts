// Builds checkpoints entry by entry, sound or forged, with the product's own tar writer.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Covered, Listed, Manifest } from '../../src/checkpoint/manifest.ts';
import { padding, type TarEntry, tarEnd, tarHeader } from '../../src/checkpoint/tar.ts';

export type Item = { entry: TarEntry; content: string; listed: Listed | null };
export type Draft = { manifest: Manifest; items: Item[]; end: Buffer };

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

export function fileItem(name: string, content = 'content'): Item {
  const entry = { name, type: '0', size: content.length, mode: 0o644, mtimeMs: 1000, link: '' };
  return { entry, content, listed: { name, kind: 'file', size: content.length, sha256: hash(content), part: 0 } };
}

export function folderItem(name: string): Item {
  const entry = { name, type: '5', size: 0, mode: 0o755, mtimeMs: 1000, link: '' };
  return { entry, content: '', listed: { name, kind: 'folder', size: 0, sha256: null, part: 0 } };
}

export function linkItem(name: string, link: string): Item {
  const entry = { name, type: '2', size: 0, mode: 0o777, mtimeMs: 1000, link };
  return { entry, content: '', listed: { name, kind: 'symlink', size: 0, sha256: hash(link), part: 0 } };
}

// A sound archive of one file (place 0) and one folder (place 1); the third place did not exist.
export function soundDraft(places: readonly string[]): Draft {
  const kinds = ['file', 'folder', null] as const;
  const covered: Covered[] = places.map((path, index) => ({ path, existed: index < 2, kind: kinds[index] ?? null }));
  const items = [folderItem('roots/1'), fileItem('roots/1/a'), folderItem('roots/1/sub'), fileItem('roots/0', 'one')];
  return { manifest: { version: 1, covered, files: [], skipped: [], parts: [0] }, items, end: tarEnd };
}

export const blocksOf = (entry: TarEntry, content: string) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([tarHeader(entry), bytes, padding(bytes.length)]);
};

export function pack(draft: Draft, manifestText?: string): Buffer {
  const files = draft.items.map(item => item.listed).filter(listed => listed !== null);
  const text = manifestText ?? JSON.stringify({ ...draft.manifest, files: [...files, ...draft.manifest.files] });
  const first = fileItem('manifest.json', '').entry;
  const blocks = [blocksOf({ ...first, size: Buffer.byteLength(text) }, text)];
  for (const { entry, content } of draft.items) blocks.push(blocksOf(entry, content));
  return gzipSync(Buffer.concat([...blocks, draft.end]));
}
