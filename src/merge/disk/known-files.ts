// Which of the files a pack speaks of exist: in the workspace, in an allowed folder, among the inputs of the
// agents, or in what is merged now.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CtxPack } from '../../protocol/ctxpack.ts';
import type { Entry } from '../leaf.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { isInside } from './read-guarded.ts';

type Where = { workspace: string; allowedRoots: string[]; inputs: { path: string }[]; entries: Entry[] };

export async function knownFiles(pack: CtxPack, where: Where): Promise<Set<string>> {
  const { workspace, allowedRoots, inputs, entries } = where;
  const merged = new Set(entries.flatMap(entry => [entry.path, ...foldersAbove(entry.path)]));
  const named = [...new Set(pack.nodes.flatMap(node => node.files ?? []))];
  // Inputs may lie anywhere; what an agent was given to read, it may speak of.
  const given = await Promise.all([...new Set(inputs.map(input => input.path))].map(toReal));
  const roots = [...allowedRoots, ...given.filter(root => root !== null)];
  const known = await inBatches(named, FILES_AT_ONCE, async file => {
    const full = path.resolve(workspace, file);
    const inMerged = path.relative(path.join(workspace, 'merged'), full);
    // merged/ on the disk is an older one, if any: what counts is what this merge puts there.
    if (isInside(full, path.join(workspace, 'merged'))) return inMerged === '' || merged.has(inMerged);
    if (merged.has(path.normalize(file).replace(/\/$/, ''))) return true;
    const real = await toReal(full);
    return real !== null && roots.some(root => isInside(real, root));
  });
  return new Set(named.filter((_, i) => known[i]));
}

// What cannot be reached does not exist for us.
const toReal = (file: string) => realpath(file).catch(() => null);

function foldersAbove(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}
