// Brings together everything that wants to stand at one path of merged/. Pure.
// Where one agent has a file and another a folder, the whole folder belongs to that one contest.

import type { Contest, PlacedLeaf } from './leaf.ts';

export function groupLeaves(leaves: PlacedLeaf[]): Contest[] {
  const solid = new Set(leaves.filter(leaf => leaf.kind !== 'folder').map(leaf => leaf.at));
  const contests = new Map<string, Contest>();
  for (const leaf of leaves) {
    const above = solidAbove(leaf, solid);
    const path = above ?? leaf.at;
    const contest = contests.get(path) ?? { path, target: leaf.target, shape: false, sides: [] };
    contest.shape ||= above !== null;
    contest.sides.push(leaf);
    contests.set(path, contest);
  }
  return [...contests.values()];
}

// The topmost path at or above this leaf where somebody has a file and this agent a folder.
function solidAbove(leaf: PlacedLeaf, solid: Set<string>): string | null {
  for (let end = leaf.at.indexOf('/', leaf.target.length); end !== -1; end = leaf.at.indexOf('/', end + 1)) {
    const above = leaf.at.slice(0, end);
    if (solid.has(above)) return above;
  }
  return leaf.kind === 'folder' && solid.has(leaf.at) ? leaf.at : null;
}
