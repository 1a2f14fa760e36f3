// Who decides a dispute: a person's choice comes first; rules speak only under "auto", and only of the rest.

import type { DependencyOrder } from '../dependency-order.ts';
import type { Dispute, Resolved } from '../leaf.ts';
import type { MergeInput } from '../merge-input.ts';
import { resolveDispute } from '../resolve-dispute.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { readBody } from './read-guarded.ts';
import { readTaken } from './read-taken.ts';

// Each holds all its sides in memory while it is decided.
const DISPUTES_AT_ONCE = 4;

export async function resolveDisputes(
  disputes: Dispute[],
  input: MergeInput,
  order: DependencyOrder,
): Promise<Resolved[]> {
  const taken = await readTaken(input.taken, disputes);
  if (input.strategy.conflict_resolution !== 'auto') return taken;
  const isTaken = new Set(taken.map(one => one.dispute));
  const rest = disputes.filter(dispute => !isTaken.has(dispute));
  const ruled = await inBatches(rest, DISPUTES_AT_ONCE, async (dispute): Promise<Resolved[]> => {
    const verdict = resolveDispute(dispute, await readSides(dispute), order);
    return verdict ? [{ dispute, verdict }] : [];
  });
  return [...taken, ...ruled.flat()];
}

// The content of each side, null where it is larger than this or than may be read at once.
export async function readSides(dispute: Dispute, maxBytes = Number.POSITIVE_INFINITY): Promise<(Buffer | null)[]> {
  return inBatches(dispute.sides, FILES_AT_ONCE, async side => {
    if (side.bytes > maxBytes) return null;
    return side.leaf ? readBody(side.leaf) : side.body;
  });
}
