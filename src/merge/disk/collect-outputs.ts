// Reads all outputs and says where each goes: into the union of packs, or to its place in merged/.

import path from 'node:path';
import type { PlacedLeaf, ScannedOutput } from '../leaf.ts';
import type { MergeInput } from '../merge-input.ts';
import { placeOutputs } from '../place-outputs.ts';
import { isPack, type Packs, readPacks } from '../read-packs.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { readBody } from './read-guarded.ts';
import { scanOutputs } from './scan-outputs.ts';

export type Collected = {
  outputs: ScannedOutput[];
  packs: Packs;
  places: Map<ScannedOutput, string>; // outputs that join the union have none
  placed: PlacedLeaf[];
};

export async function collectOutputs({ agents, allowedRoots, strategy }: MergeInput): Promise<Collected> {
  const wanted = agents.flatMap(({ name, outputs }) =>
    Object.entries(outputs).map(([key, file]) => ({ agent: name, key, root: path.resolve(file) })),
  );
  const outputs = await scanOutputs(wanted, allowedRoots);
  const candidates = await inBatches(outputs.filter(isPack), FILES_AT_ONCE, async output => {
    return { output, body: await readBody(output.leaves[0]!) };
  });
  const packs = readPacks(candidates, strategy.validation.schema_validation);
  const ordinary = outputs.filter(output => !packs.united.has(output));
  const places = placeOutputs(ordinary, strategy.type);
  const placed = ordinary.flatMap(output => placeLeaves(output, places.get(output)!));
  return { outputs, packs, places, placed };
}

function placeLeaves(output: ScannedOutput, target: string): PlacedLeaf[] {
  return output.leaves.map(leaf => ({ ...leaf, target, at: leaf.path === '' ? target : `${target}/${leaf.path}` }));
}
