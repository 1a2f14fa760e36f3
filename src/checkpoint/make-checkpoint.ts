// Writes a checkpoint: what the covered places hold before the first agent starts, as one .tar.gz that
// appears whole or not at all. A file that changes meanwhile is kept as it was read; the archive stays sound.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotRegular, openRegular } from '../files/read-file.ts';
import { type TreeEntry, walkTree } from '../files/walk-tree.ts';
import { syncFolder, tempBeside } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { BodyWriter, pack } from './body-writer.ts';
import { findPlaces, type Places } from './find-places.ts';
import { type Listed, MANIFEST_NAME, type Manifest } from './manifest.ts';
import { padding, type TarEntry, tarHeader } from './tar.ts';

// Up to here a file is read whole before its header is written, so that it can be read again if it changed.
const WHOLE_BYTES = 8 * 1024 * 1024;
const READS = 3;

export async function makeCheckpoint(o: Places): Promise<{ bytes: number; entries: number }> {
  const places = await findPlaces(o);
  await mkdir(dirname(o.file), { recursive: true });
  const body = tempBeside(o.file);
  const whole = tempBeside(o.file);
  try {
    const manifest = await writeBody(body, places);
    const bytes = await joinParts(whole, manifest, body);
    await rename(whole, o.file);
    await syncFolder(dirname(o.file));
    return { bytes, entries: manifest.files.length };
  } finally {
    for (const temp of [body, whole]) await rm(temp, { force: true });
  }
}

async function writeBody(file: string, places: readonly string[]): Promise<Manifest> {
  const manifest: Manifest = { version: 1, covered: [], files: [], skipped: [], parts: [] };
  const goal = await open(file, 'wx', 0o600);
  try {
    const writer = new BodyWriter(goal);
    for (const [index, place] of places.entries()) {
      const entries = await walkTree(place);
      manifest.covered.push({ path: place, existed: entries.length > 0, kind: entries[0]?.kind ?? null });
      for (const entry of entries) {
        const name = `roots/${index}${entry.path === '' ? '' : `/${entry.path}`}`;
        const listed = await addEntry(writer, join(place, entry.path), { ...entry, path: name });
        if (listed === 'skipped') manifest.skipped.push(name);
        else if (listed !== 'gone') manifest.files.push(listed);
        else if (entry.path === '') manifest.covered[index] = { path: place, existed: false, kind: null };
      }
    }
    await writer.end();
    return { ...manifest, parts: writer.parts };
  } finally {
    await goal.close();
  }
}

// `entry.path` is already the name in the archive.
async function addEntry(writer: BodyWriter, path: string, entry: TreeEntry): Promise<Listed | 'skipped' | 'gone'> {
  if (entry.garbled) {
    const message = `"${path}" cannot be kept in a checkpoint: its name or its target is not valid UTF-8.`;
    throw new Fault('invalid', message, 'Rename it, or set execution_options.checkpoint_enabled to false.');
  }
  if (entry.kind === 'other') return 'skipped';
  if (entry.kind === 'file') return addFile(writer, path, entry.path);
  const link = entry.target ?? '';
  const type = entry.kind === 'folder' ? '5' : '2';
  const { path: name, mode, mtimeMs } = entry;
  const sha256 = entry.kind === 'folder' ? null : createHash('sha256').update(link).digest('hex');
  const listed: Listed = { name, kind: entry.kind, size: 0, sha256, part: writer.part };
  await writer.add({ name, type, size: 0, mode, mtimeMs, link }, Buffer.alloc(0));
  return listed;
}

async function addFile(writer: BodyWriter, path: string, name: string): Promise<Listed | 'gone'> {
  const source = await openRegular(path).catch(error => {
    if (error instanceof NotRegular || error.code === 'ENOENT') return null;
    throw error;
  });
  if (source === null) return 'gone';
  try {
    const stats = await source.stat();
    const header = { name, type: '0', size: stats.size, mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs, link: '' };
    return stats.size > WHOLE_BYTES ? await addLarge(writer, header, source) : await addSmall(writer, header, source);
  } finally {
    await source.close();
  }
}

async function addLarge(writer: BodyWriter, header: TarEntry, source: FileHandle): Promise<Listed> {
  const sha256 = await writer.addLarge(header, source);
  // Its member is the one that has just ended.
  return { name: header.name, kind: 'file', size: header.size, sha256, part: writer.part - 1 };
}

async function addSmall(writer: BodyWriter, header: TarEntry, source: FileHandle): Promise<Listed> {
  const { content, mtimeMs } = await readSettled(source);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const listed: Listed = { name: header.name, kind: 'file', size: content.length, sha256, part: writer.part };
  await writer.add({ ...header, size: content.length, mtimeMs }, content);
  return listed;
}

async function readSettled(source: FileHandle): Promise<{ content: Buffer; mtimeMs: number }> {
  for (let reads = 1; ; reads += 1) {
    const before = await source.stat();
    const buffer = Buffer.alloc(Math.min(before.size, WHOLE_BYTES));
    let filled = 0;
    for (let got = -1; got !== 0 && filled < buffer.length; filled += got) {
      got = (await source.read(buffer, filled, buffer.length - filled, filled)).bytesRead;
    }
    const after = await source.stat();
    const settled = filled === after.size && after.mtimeMs === before.mtimeMs;
    if (settled || reads === READS) return { content: buffer.subarray(0, filled), mtimeMs: after.mtimeMs };
  }
}

// The manifest comes first although it is known last: gzip members may simply follow each other.
async function joinParts(file: string, manifest: Manifest, body: string): Promise<number> {
  const text = Buffer.from(JSON.stringify(manifest));
  const header = tarHeader({ name: MANIFEST_NAME, type: '0', size: text.length, mode: 0o600, mtimeMs: 0, link: '' });
  const first = await pack(Buffer.concat([header, text, padding(text.length)]));
  const goal = await open(file, 'wx', 0o600);
  try {
    await goal.writeFile(first);
    for await (const chunk of createReadStream(body)) await goal.writeFile(chunk);
    await goal.sync();
    return (await goal.stat()).size;
  } finally {
    await goal.close();
  }
}
