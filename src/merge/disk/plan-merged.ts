// Everything that is to stand in merged/ when nothing is in dispute, and what is wrong with the united pack.

import type { CtxPack } from '../../protocol/ctxpack.ts';
import type { Finding } from '../../protocol/report.ts';
import { planEntries, planPack } from '../build-plan.ts';
import { checkConsistency } from '../check-ctxpack.ts';
import type { Entry } from '../leaf.ts';
import type { MergeInput } from '../merge-input.ts';
import { aggregateEntries, madeEntry } from './aggregate-entries.ts';
import type { Decisions } from './decide-merge.ts';
import { knownFiles } from './known-files.ts';

export type Plan = { entries: Entry[]; pack: CtxPack | null; findings: Finding[] };

export async function planMerged(input: MergeInput, decisions: Decisions): Promise<Plan> {
  const { nodes, resolved, packs } = decisions;
  const placed = planEntries(decisions.entries, resolved);
  const made = input.strategy.type === 'report_aggregation' ? await aggregateEntries(input, decisions) : [];
  const title = `Integrated context of ${input.executionId}`;
  const pack = planPack({ title, sources: packs.sources, nodes, resolved });
  const united = pack ? [madeEntry('integrated.ctxp', `${JSON.stringify(pack, null, 2)}\n`)] : [];
  const entries = [...placed, ...made, ...united];
  if (!pack || !input.strategy.validation.semantic_consistency) return { entries, pack, findings: [] };
  const known = await knownFiles(pack, { ...input, entries });
  return { entries, pack, findings: checkConsistency(pack, file => known.has(file)) };
}
