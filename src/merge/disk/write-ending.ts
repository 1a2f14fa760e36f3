// The two ways a merge ends on the disk: everything in merged/, or nothing there and everything kept.
// Either way merge/record.json tells the fate of every file.

import path from 'node:path';
import type { ConflictReport, MergeRecord } from '../../protocol/conflicts.ts';
import { discardedSides } from '../apply-verdict.ts';
import { buildFates, type Fated } from '../build-fates.ts';
import type { Entry, Side } from '../leaf.ts';
import type { Decisions } from './decide-merge.ts';
import { moveAside, type Places, writeJson } from './places.ts';
import { buildMerged, type Keepsake, keepCopies, publishMerged, retireMerged } from './write-merged.ts';

export type Ending = { executionId: string; decisions: Decisions; places: Places };

export async function endMerged({ executionId, decisions, places }: Ending, entries: Entry[]): Promise<void> {
  const fates = fatesOf(decisions, entries);
  await keepCopies(toKeepsakes(fates, decisions), places);
  await buildMerged(entries, places);
  await writeJson(places.record, toRecord(executionId, fates, places));
  await publishMerged(places);
  await retireConflicts(places);
}

// conflicts: null when there is nothing for a person to decide.
export async function endUnmerged(ending: Ending, conflicts: ConflictReport | null): Promise<void> {
  const { executionId, decisions, places } = ending;
  const fates = fatesOf(decisions, []);
  await keepCopies(toKeepsakes(fates, decisions), places);
  await writeJson(places.record, toRecord(executionId, fates, places));
  await retireMerged(places);
  if (conflicts) await writeJson(places.conflicts, conflicts);
  else await retireConflicts(places);
}

// What an earlier merge left to a person is no longer true, but may still be looked up.
async function retireConflicts(places: Places): Promise<void> {
  await moveAside(places.conflicts, n => path.join(places.merge, `conflicts.${n}.json`));
}

function fatesOf({ outputs, packs, placed, open, resolved }: Decisions, entries: Entry[]): Fated[] {
  const united = outputs.filter(output => packs.united.has(output)).flatMap(output => output.leaves);
  return buildFates({ leaves: [...placed, ...united], entries, open, resolved });
}

function toKeepsakes(fates: Fated[], { open, resolved }: Decisions): Keepsake[] {
  const toKeepsake = ({ sha256, leaf, body }: Side) => ({ sha256, leaf, body });
  return [
    ...fates
      .filter(({ fate }) => fate !== 'merged')
      .map(({ leaf }) => ({ sha256: leaf.sha256, leaf, body: leaf.body })),
    ...open.flatMap(dispute => dispute.sides).map(toKeepsake),
    ...resolved.flatMap(discardedSides).map(toKeepsake),
  ];
}

function toRecord(executionId: string, fates: Fated[], places: Places): MergeRecord {
  return {
    execution_id: executionId,
    files: fates.map(({ leaf: { agent, output, source, sha256 }, fate, path: below }) => {
      const at = below === null ? places.keptAt(sha256) : path.join(places.merged, below);
      return { agent, output, source, sha256, fate, at };
    }),
  };
}
