// The merge, from the outputs of the agents to merged/: decide, validate, then write, and only then rename.
// Nothing an agent produced is ever changed or removed here; docs/merge.md states the law.

import type { MergeResult } from '../protocol/report.ts';
import { emptyResult } from './build-result.ts';
import { decideMerge } from './disk/decide-merge.ts';
import { endFailed, endInConflict, endInSuccess } from './disk/end-merge.ts';
import { checkApart, clearBuilding, openPlaces, type Places, placesIn } from './disk/places.ts';
import { planMerged } from './disk/plan-merged.ts';
import { retireMerged } from './disk/write-merged.ts';
import type { MergeInput, MergeOutcome } from './merge-input.ts';
import { MergeStop } from './merge-stop.ts';
import { warnOfMissingPacks } from './read-packs.ts';

export type { MergeInput, MergeOutcome } from './merge-input.ts';

export async function runMerge(input: MergeInput): Promise<MergeOutcome> {
  if (input.agents.length === 0) return toOutcome(emptyResult('skipped', 'no agent succeeded'));
  const places = placesIn(input.workspace);
  const problem = checkApart(input.agents, places);
  if (problem) return toOutcome(emptyResult('failed', problem));
  try {
    await openPlaces(places);
    return await merge(input, places);
  } catch (error) {
    const reason = toReason(error);
    if (reason === null) throw error;
    // Half a result is none, and an older one is not this one. Should this fail too, the next merge does it.
    await Promise.allSettled([clearBuilding(places), retireMerged(places)]);
    return toOutcome(emptyResult('failed', reason));
  }
}

const toOutcome = (result: MergeResult): MergeOutcome => ({ result, conflicts: null, warnings: [] });

// What the disk or an output made impossible is a result; anything else is a fault or a bug, and flies on.
function toReason(error: unknown): string | null {
  if (error instanceof MergeStop) return error.message;
  const isOfDisk = error instanceof Error && 'code' in error && 'syscall' in error;
  return isOfDisk ? `the disk refused: ${error.message}` : null;
}

async function merge(input: MergeInput, places: Places): Promise<MergeOutcome> {
  const decisions = await decideMerge(input, places.merge);
  const { packs, open } = decisions;
  const warnings = [...packs.warnings, ...warnOfMissingPacks(input.agents, packs, input.strategy.type)];
  const end = { input, places, decisions, warnings };
  if (packs.findings.length > 0) return endFailed(end, packs.findings, 'a .ctxp output breaks its schema');
  if (open.length > 0) return endInConflict(end);
  const plan = await planMerged(input, decisions);
  if (plan.findings.length > 0) return endFailed(end, plan.findings, 'the united ctxpack is not consistent');
  return endInSuccess(end, plan);
}
