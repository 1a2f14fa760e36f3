// The two files report_aggregation adds to merged/, made from what the outputs hold.

import { buildAggregate, buildIndex, type ReportedOutput, SHOWN_BYTES } from '../aggregate-report.ts';
import type { Entry, PlacedLeaf, ScannedOutput } from '../leaf.ts';
import type { MergeInput } from '../merge-input.ts';
import type { Decisions } from './decide-merge.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { readBody, sha256Of } from './read-guarded.ts';

export async function aggregateEntries(input: MergeInput, decisions: Decisions): Promise<Entry[]> {
  const placed = Map.groupBy(decisions.placed, leaf => JSON.stringify([leaf.agent, leaf.output]));
  // One output after the other: each may be a tree of many files.
  const outputs = await inBatches(decisions.outputs, 1, async (output): Promise<ReportedOutput> => {
    const target = decisions.places.get(output) ?? null;
    const leaves = placed.get(JSON.stringify([output.agent, output.key])) ?? unitedLeaves(output);
    const read = await inBatches(leaves, FILES_AT_ONCE, async leaf => {
      return { leaf, body: leaf.bytes <= SHOWN_BYTES ? await readBody(leaf) : null };
    });
    return { agent: output.agent, key: output.key, source: output.root, target, leaves: read };
  });
  const hasPack = decisions.packs.sources.length > 0;
  const agents = input.agents.map(agent => agent.name);
  const facts = { executionId: input.executionId, now: input.now, agents, outputs, hasPack };
  return [
    madeEntry('report.md', buildAggregate(facts)),
    madeEntry('index.json', `${JSON.stringify(buildIndex(facts), null, 2)}\n`),
  ];
}

function unitedLeaves(output: ScannedOutput): PlacedLeaf[] {
  return output.leaves.map(leaf => ({ ...leaf, at: output.name, target: output.name }));
}

// A file the merge itself writes.
export function madeEntry(name: string, text: string): Entry {
  const body = Buffer.from(text);
  return { path: name, target: name, kind: 'file', executable: false, sha256: sha256Of(body), from: null, body };
}
