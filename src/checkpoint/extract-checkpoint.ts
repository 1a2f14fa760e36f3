// Unpacks a checkpoint into a fresh folder, one numbered tree per covered place, and proves it on the
// way. Nothing in the archive decides where something is written: names only choose places below `goal`.

import { createHash } from 'node:crypto';
import { mkdir, open, statfs, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setStamp } from '../files/move-tree.ts';
import { Fault } from '../protocol/fault.ts';
import type { Listed, Manifest } from './manifest.ts';
import { readEntries, readManifest, withArchive } from './open-archive.ts';
import { OddArchive, type ReadEntry } from './read-tar.ts';

type Stamp = Parameters<typeof setStamp>[1] & { path: string };

const typeOf = { file: '0', folder: '5', symlink: '2' } as const;

export async function extractCheckpoint(file: string, places: readonly string[], goal: string): Promise<Manifest> {
  return withArchive(file, handle =>
    readEntries(handle, {}, async entries => {
      const manifest = await readManifest(entries);
      checkCovered(manifest, places);
      await checkRoom(manifest, goal);
      const stamps = await extractAll(entries, manifest, goal);
      // Deepest first, as in copyTree.
      for (const stamp of stamps.toReversed()) await setStamp(stamp.path, stamp);
      return manifest;
    }),
  );
}

function checkCovered(manifest: Manifest, places: readonly string[]): void {
  const kept = manifest.covered.map(covered => covered.path);
  if (kept.length === places.length && kept.every((path, index) => path === places[index])) return;
  const odd = kept.find(path => !places.includes(path)) ?? places.find(place => !kept.includes(place));
  throw new OddArchive(`it covers other places than the request ("${odd ?? kept.join(', ')}")`);
}

async function checkRoom(manifest: Manifest, goal: string): Promise<void> {
  const needed = manifest.files.reduce((sum, listed) => sum + listed.size, 0);
  const disk = await statfs(goal);
  if (needed <= disk.bavail * disk.bsize) return;
  throw new Fault('failure', `The checkpoint needs ${needed} bytes, more than the disk has free.`, 'Free some space.');
}

async function extractAll(entries: AsyncGenerator<ReadEntry>, manifest: Manifest, goal: string): Promise<Stamp[]> {
  const expected = new Map(manifest.files.map(listed => [listed.name, listed]));
  if (expected.size !== manifest.files.length) throw new OddArchive('its manifest names an entry twice');
  const folders = new Set<string>();
  const stamps: Stamp[] = [];
  for await (const entry of entries) {
    const listed = expected.get(entry.name);
    if (!listed) throw new OddArchive(`"${entry.name}" is not in its manifest, or comes twice`);
    expected.delete(entry.name);
    const path = join(goal, checkName(entry.name, listed, manifest, folders));
    await extractOne(entry, listed, path);
    if (listed.kind === 'folder') folders.add(entry.name);
    // A set-uid program must never come out of an archive.
    const mode = entry.mode & (listed.kind === 'folder' ? 0o7777 : 0o1777);
    stamps.push({ path, kind: listed.kind, mode, mtimeMs: entry.mtimeMs });
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw new OddArchive(`"${missing}" is missing`);
  checkTops(manifest);
  return stamps;
}

// Every place that existed must have come, or it would be taken away and not put back.
function checkTops(manifest: Manifest): void {
  const names = new Set(manifest.files.map(listed => listed.name));
  for (const [index, { kind, path }] of manifest.covered.entries()) {
    const isKept = kind !== null && kind !== 'other';
    if (isKept !== names.has(`roots/${index}`)) throw new OddArchive(`it does not hold "${path}" as its manifest says`);
  }
}

// "roots/<i>/a/b" becomes "<i>/a/b", if its folder came before it as a real folder.
function checkName(name: string, listed: Listed, manifest: Manifest, folders: Set<string>): string {
  const [top, index = '', ...below] = name.split('/');
  const covered = /^(?:0|[1-9]\d{0,8})$/.test(index) ? manifest.covered[Number(index)] : undefined;
  const isPlain = below.every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  if (top !== 'roots' || !covered || !isPlain) throw new OddArchive(`"${name}" is not a name it may hold`);
  if (below.length === 0 && covered.kind !== listed.kind) throw new OddArchive(`"${name}" is of another kind`);
  const parent = name.slice(0, name.lastIndexOf('/'));
  if (below.length > 0 && !folders.has(parent)) throw new OddArchive(`"${name}" does not stand in a folder`);
  return [index, ...below].join('/');
}

async function extractOne(entry: ReadEntry, listed: Listed, path: string): Promise<void> {
  const { kind, name } = listed;
  if (entry.type !== typeOf[kind]) throw new OddArchive(`"${name}" is of another kind than its manifest says`);
  if (entry.size !== listed.size) throw new OddArchive(`"${name}" has another size than its manifest says`);
  if (kind !== 'symlink' && entry.link !== '') throw new OddArchive(`"${name}" has a link target`);
  if (kind === 'folder') return void (await mkdir(path, { mode: 0o700 }));
  const sha256 = kind === 'symlink' ? await makeLink(entry, path) : await writeContent(entry, path);
  if (sha256 !== listed.sha256) throw new OddArchive(`"${name}" is not what its manifest says`);
}

async function makeLink(entry: ReadEntry, path: string): Promise<string> {
  if (entry.link === '' || entry.link.includes('\0')) throw new OddArchive(`"${entry.name}" leads nowhere`);
  await symlink(entry.link, path);
  return createHash('sha256').update(entry.link).digest('hex');
}

async function writeContent(entry: ReadEntry, path: string): Promise<string> {
  const hash = createHash('sha256');
  const goal = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of entry.content) {
      hash.update(chunk);
      await goal.writeFile(chunk);
    }
  } finally {
    await goal.close();
  }
  return hash.digest('hex');
}
