// Reads every output of every agent: its files, links and empty folders. Changes nothing.
// What cannot be merged honestly (devices, links that lead out, names that are no text) stops the merge here.

import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { checkLinks } from '../check-links.ts';
import type { Leaf, ScannedOutput } from '../leaf.ts';
import { MergeStop } from '../merge-stop.ts';
import { toUtf8 } from '../text.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { isInside, readGuarded, sha256Of } from './read-guarded.ts';

// What may be held in memory of all outputs together; the rest is read a second time.
const HELD_BYTES = 96 * 1024 * 1024;

export type Wanted = { agent: string; key: string; root: string };
type Found = { output: Wanted; real: string; path: string; kind: Leaf['kind'] };

export async function scanOutputs(wanted: Wanted[], allowedRoots: string[]): Promise<ScannedOutput[]> {
  const found = await inBatches(wanted, FILES_AT_ONCE, output => listOutput(output, allowedRoots));
  const budget = { left: HELD_BYTES };
  const leaves = await inBatches(found.flat(), FILES_AT_ONCE, one => readLeaf(one, budget));
  const outputs = Map.groupBy(leaves, leaf => JSON.stringify([leaf.agent, leaf.output]));
  return wanted.map(({ agent, key, root }) => {
    const own = outputs.get(JSON.stringify([agent, key])) ?? [];
    const links = own.filter(leaf => leaf.kind === 'link').map(leaf => [leaf.path, String(leaf.body)] as const);
    const [problem] = checkLinks(new Map(links));
    if (problem)
      throw new MergeStop(`the link ${path.join(root, problem.path)} of agent "${agent}" ${problem.problem}`);
    return { agent, key, root, name: path.basename(root), leaves: own };
  });
}

async function listOutput(output: Wanted, allowedRoots: string[]): Promise<Found[]> {
  const real = await realpath(output.root);
  const kind = await kindOf(output.root);
  const whose = `output "${output.key}" of agent "${output.agent}", ${output.root},`;
  if (kind === 'link') throw new MergeStop(`${whose} is a symbolic link; an output must be a file or a folder`);
  if (!allowedRoots.some(root => isInside(real, root)))
    throw new MergeStop(`${whose} lies outside the allowed folders`);
  if (kind === 'file') return [{ output, real, path: '', kind }];
  const found: Found[] = [];
  let level = [''];
  while (level.length > 0) {
    const listed = (await inBatches(level, FILES_AT_ONCE, folder => listFolder(output, real, folder))).flat();
    level = listed.filter(one => one.kind === 'folder' && !one.isEmpty).map(one => one.path);
    const leaves = listed.filter(one => one.kind !== 'folder' || one.isEmpty);
    found.push(...leaves.map(one => ({ output, real: path.join(real, one.path), path: one.path, kind: one.kind })));
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Listed = { path: string; kind: Leaf['kind']; isEmpty: boolean };

// What stands in a folder; the folder itself when that is nothing.
async function listFolder(output: Wanted, real: string, folder: string): Promise<Listed[]> {
  const names = await readNames(path.join(output.root, folder), path.join(real, folder));
  if (names.length === 0) return [{ path: folder, kind: 'folder', isEmpty: true }];
  return inBatches(names, FILES_AT_ONCE, async name => {
    const below = path.join(folder, name);
    return { path: below, kind: await kindOf(path.join(output.root, below)), isEmpty: false };
  });
}

async function readNames(folder: string, real: string): Promise<string[]> {
  const names = await readdir(folder, { encoding: 'buffer' });
  if ((await realpath(folder)) !== real) throw new MergeStop(`${folder} was exchanged while it was being merged`);
  return names.map(raw => {
    const name = toUtf8(raw);
    if (name === null)
      throw new MergeStop(`${folder} holds a name that is not UTF-8 (${raw.toString('latin1')}); rename it`);
    return name;
  });
}

async function kindOf(file: string): Promise<Leaf['kind']> {
  const seen = await lstat(file);
  if (seen.isFile()) return 'file';
  if (seen.isDirectory()) return 'folder';
  if (seen.isSymbolicLink()) return 'link';
  throw new MergeStop(`${file} is a pipe, socket or device; only files, folders and links can be merged`);
}

async function readLeaf({ output, real, path: below, kind }: Found, budget: { left: number }): Promise<Leaf> {
  const source = path.join(output.root, below);
  const whose = { agent: output.agent, output: output.key, source, real, path: below, kind };
  if (kind === 'file') {
    const content = await readGuarded({ source, real });
    budget.left -= content.bytes;
    return { ...whose, ...content, body: budget.left > 0 ? content.body : null };
  }
  const raw = kind === 'link' ? await readlink(source, { encoding: 'buffer' }) : Buffer.alloc(0);
  if (toUtf8(raw) === null) throw new MergeStop(`the link ${source} leads to a name that is not UTF-8; rename it`);
  return { ...whose, sha256: sha256Of(raw), bytes: raw.length, body: raw, executable: false };
}
