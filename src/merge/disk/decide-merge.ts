// From outputs to decisions: reads, places, settles and resolves. Writes nothing but scratch files of git.

import { conflictIds } from '../conflict-ids.ts';
import { buildDependencyOrder } from '../dependency-order.ts';
import { groupLeaves } from '../group-leaves.ts';
import type { Dispute, Entry, Resolved } from '../leaf.ts';
import type { MergeInput } from '../merge-input.ts';
import { nodeDisputes } from '../node-disputes.ts';
import { groupNodes, type NodeGroup } from '../union-packs.ts';
import { type Collected, collectOutputs } from './collect-outputs.ts';
import { resolveDisputes } from './resolve-disputes.ts';
import { settleContests } from './settle-contests.ts';

export type Decisions = Collected & {
  nodes: NodeGroup[];
  entries: Entry[]; // settled without a choice
  disputes: Dispute[];
  resolved: Resolved[];
  open: Dispute[];
};

export async function decideMerge(input: MergeInput, workFolder: string): Promise<Decisions> {
  const collected = await collectOutputs(input);
  const order = buildDependencyOrder(input.agents);
  const contests = groupLeaves(collected.placed);
  const { entries, disputes: files } = await settleContests(contests, { ...input, order, workFolder });
  const nodes = groupNodes(collected.packs.sources);
  const unnamed = [...files, ...nodeDisputes(nodes)];
  const ids = conflictIds(unnamed);
  const disputes = unnamed.map((dispute, i) => ({ ...dispute, id: ids[i]! }));
  const resolved = await resolveDisputes(disputes, input, order);
  const isResolved = new Set(resolved.map(one => one.dispute));
  const open = disputes.filter(dispute => !isResolved.has(dispute));
  return { ...collected, nodes, entries, disputes, resolved, open };
}
