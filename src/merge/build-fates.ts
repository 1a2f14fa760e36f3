// What became of every file of every output, told from what really stands in merged/. Pure.

import type { FileFate } from '../protocol/conflicts.ts';
import { discardedSides } from './apply-verdict.ts';
import { type Dispute, type Entry, type Leaf, type PlacedLeaf, type Resolved, versionOf } from './leaf.ts';

export type Fated = { leaf: Leaf; fate: FileFate['fate']; path: string | null }; // path below merged/

type Facts = { leaves: (Leaf | PlacedLeaf)[]; entries: Entry[]; open: Dispute[]; resolved: Resolved[] };

// entries: what stands in merged/; empty when nothing was merged.
export function buildFates({ leaves, entries, open, resolved }: Facts): Fated[] {
  const stands = new Map(entries.map(entry => [entry.path, versionOf(entry)]));
  const openFiles = new Set(open.flatMap(({ sides }) => sides.map(side => side.source)));
  const discarded = new Set(resolved.flatMap(discardedSides).flatMap(side => (side.leaf ? [side.leaf] : [])));
  return leaves
    .filter(leaf => leaf.kind !== 'folder')
    .map(leaf => {
      const isWhole = 'at' in leaf && stands.get(leaf.at) === versionOf(leaf);
      if (isWhole) return { leaf, fate: 'merged', path: leaf.at };
      if (openFiles.has(leaf.source)) return { leaf, fate: 'conflict', path: null };
      const isDiscarded = entries.length > 0 && discarded.has(leaf as PlacedLeaf);
      return { leaf, fate: isDiscarded ? 'discarded' : 'source', path: null };
    });
}
