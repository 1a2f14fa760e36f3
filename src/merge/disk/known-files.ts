// Which of the files a pack speaks of exist: in the workspace, in an allowed folder, or in what is merged now.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CtxPack } from '../../protocol/ctxpack.ts';
import type { Entry } from '../leaf.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { isInside } from './read-guarded.ts';

type Where = { workspace: string; allowedRoots: string[]; entries: Entry[] };

export async function knownFiles(pack: CtxPack, { workspace, allowedRoots, entries }: Where): Promise<Set<string>> {
  const merged = new Set(entries.flatMap(entry => [entry.path, ...foldersAbove(entry.path)]));
  const named = [...new Set(pack.nodes.flatMap(node => node.files ?? []))];
  const known = await inBatches(named, FILES_AT_ONCE, async file => {
    const full = path.resolve(workspace, file);
    const inMerged = path.relative(path.join(workspace, 'merged'), full);
    // merged/ on the disk is an older one, if any: what counts is what this merge puts there.
    if (isInside(full, path.join(workspace, 'merged'))) return inMerged === '' || merged.has(inMerged);
    if (merged.has(path.normalize(file).replace(/\/$/, ''))) return true;
    const real = await realpath(full).catch(() => null); // what cannot be reached does not exist for us
    return real !== null && allowedRoots.some(root => isInside(real, root));
  });
  return new Set(named.filter((_, i) => known[i]));
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}
