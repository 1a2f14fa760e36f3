// Settles what needs no choice: one version, equal versions, and texts that merge cleanly. The rest is in dispute.

import type { DependencyOrder } from '../dependency-order.ts';
import { type Base, type Contest, type Dispute, type Entry, type PlacedLeaf, type Side, versionOf } from '../leaf.ts';
import { toText } from '../text.ts';
import { type BaseFacts, findBase } from './find-base.ts';
import { inBatches } from './in-batches.ts';
import { readBody, sha256Of } from './read-guarded.ts';
import { mergeThreeWay } from './three-way.ts';

// Each may be a git process; more at once than this only makes them wait for each other.
const MERGES_AT_ONCE = 4;

export type Unnamed = Omit<Dispute, 'id'>;
type World = BaseFacts & { order: DependencyOrder; workFolder: string };
type Settled = { entry: Entry } | { dispute: Unnamed };

export async function settleContests(contests: Contest[], world: World) {
  const settled = await inBatches(contests, MERGES_AT_ONCE, contest => settle(contest, world));
  return {
    entries: settled.flatMap(one => ('entry' in one ? [one.entry] : [])),
    disputes: settled.flatMap(one => ('dispute' in one ? [one.dispute] : [])),
  };
}

async function settle(contest: Contest, world: World): Promise<Settled> {
  const { sides } = contest;
  const first = sides[0]!;
  if (contest.shape) return toDispute(contest, null, 'one agent has a file here, another a folder');
  if (sides.every(side => versionOf(side) === versionOf(first))) {
    const bitsDiffer = sides.some(side => side.executable !== first.executable);
    const base = bitsDiffer ? await findBase(contest, world) : null;
    return { entry: toEntry(first, joinBits(sides, base)) };
  }
  if (sides.some(side => side.kind !== 'file')) return toDispute(contest, null, 'links and files differ here');
  return settleFiles(contest, world);
}

async function settleFiles(contest: Contest, world: World): Promise<Settled> {
  const base = await findBase(contest, world);
  const bodies = new Map<PlacedLeaf, Buffer>();
  for (const side of contest.sides) {
    const body = await readBody(side);
    if (!body) return toDispute(contest, base, 'too large to be merged line by line');
    if (toText(body) === null) return toDispute(contest, base, 'the versions differ and are not text');
    bodies.set(side, body);
  }
  if (!base) return toDispute(contest, null, 'the versions differ and have no base in an input they share');
  if (toText(base.body) === null) return toDispute(contest, base, 'the base is not text');
  const changed = changedSides(contest.sides, base, world.order);
  const executable = joinBits(contest.sides, base);
  if (changed.length === 1) return { entry: toEntry(changed[0]!, executable) };
  const merged = await mergeThreeWay(
    changed.map(side => bodies.get(side)!),
    base.body,
    world.workFolder,
  );
  if ('reason' in merged) return toDispute(contest, base, merged.reason);
  const { body } = merged;
  const { path, target } = contest;
  return { entry: { path, target, kind: 'file', executable, sha256: sha256Of(body), from: null, body } };
}

// One side for each version that is not the base, earlier work first.
function changedSides(sides: PlacedLeaf[], base: Base, order: DependencyOrder): PlacedLeaf[] {
  const inOrder = [...sides].sort((a, b) => order.rank(a.agent) - order.rank(b.agent));
  const isNew = inOrder.filter(side => side.sha256 !== base.sha256);
  return [...new Map(isNew.toReversed().map(side => [side.sha256, side])).values()].toReversed();
}

// The executable bit, merged three-way: who changed it against the base is followed.
function joinBits(sides: PlacedLeaf[], base: Base | null): boolean {
  const first = sides[0]!.executable;
  return sides.every(side => side.executable === first) ? first : !(base?.executable ?? false);
}

export function toEntry(leaf: PlacedLeaf, executable = leaf.executable): Entry {
  const { at, target, kind, sha256 } = leaf;
  return { path: at, target, kind, executable, sha256, from: leaf, body: null };
}

function toDispute({ path, target, shape, sides }: Contest, base: Base | null, reason: string): Settled {
  return { dispute: { kind: 'file', path, target, shape, reason, base, sides: sides.map(toSide) } };
}

function toSide(leaf: PlacedLeaf): Side {
  const { agent, source, sha256, bytes, executable, body, kind } = leaf;
  return { agent, source, sha256, bytes, executable, body, kind, leaf, node: null };
}
