// The two files report_aggregation adds to merged/, made from what the outputs hold.

import { buildAggregate, buildIndex, type ReportedOutput, SHOWN_BYTES } from '../aggregate-report.ts';
import type { Entry, PlacedLeaf, ScannedOutput } from '../leaf.ts';
import type { MergeInput } from '../merge-input.ts';
import type { Decisions } from './decide-merge.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import { readBody, sha256Of } from './read-guarded.ts';

export async function aggregateEntries(input: MergeInput, decisions: Decisions): Promise<Entry[]> {
  const placed = Map.groupBy(decisions.placed, leaf => JSON.stringify([leaf.agent, leaf.output]));
  const outputs = await inBatches(decisions.outputs, FILES_AT_ONCE, async (output): Promise<ReportedOutput> => {
    const target = decisions.places.get(output) ?? null;
    const leaves = placed.get(JSON.stringify([output.agent, output.key])) ?? unitedLeaves(output);
    const read = leaves.map(async leaf => ({ leaf, body: leaf.bytes <= SHOWN_BYTES ? await readBody(leaf) : null }));
    return { agent: output.agent, key: output.key, source: output.root, target, leaves: await Promise.all(read) };
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
