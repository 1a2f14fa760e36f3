// The three ends of a merge that was decided: written to the disk first, then told as a result.

import path from 'node:path';
import type { ConflictReport } from '../../protocol/conflicts.ts';
import type { Finding } from '../../protocol/report.ts';
import { buildConflicts, INLINE_BYTES } from '../build-conflicts.ts';
import { buildResult } from '../build-result.ts';
import type { MergeInput, MergeOutcome } from '../merge-input.ts';
import type { Decisions } from './decide-merge.ts';
import { FILES_AT_ONCE, inBatches } from './in-batches.ts';
import type { Places } from './places.ts';
import type { Plan } from './plan-merged.ts';
import { readSides } from './resolve-disputes.ts';
import { endMerged, endUnmerged } from './write-ending.ts';

export type End = Pick<MergeOutcome, 'warnings'> & { input: MergeInput; places: Places; decisions: Decisions };

export async function endInSuccess({ input, places, decisions, warnings }: End, plan: Plan): Promise<MergeOutcome> {
  const { entries, pack, findings } = plan;
  await endMerged({ executionId: input.executionId, decisions, places }, entries);
  const own = entries.filter(entry => entry.path !== 'integrated.ctxp').map(entry => entry.target);
  const ending = {
    status: 'success' as const,
    reason: null,
    merged_ctxpack: pack ? path.join(places.merged, 'integrated.ctxp') : null,
    merged_files: [...new Set(own)].map(target => path.join(places.merged, target)),
    conflicts_file: null,
    record: places.record,
  };
  const { schema_validation, semantic_consistency } = input.strategy.validation;
  const validated = pack && (schema_validation || semantic_consistency) ? true : null;
  const result = buildResult({ ...decisions, findings, validated }, ending, places.keptAt);
  return { result, conflicts: null, warnings };
}

export async function endFailed(
  { input, places, decisions, warnings }: End,
  findings: Finding[],
  what: string,
): Promise<MergeOutcome> {
  await endUnmerged({ executionId: input.executionId, decisions, places }, null);
  const reason = `${what}: ${findings[0]!.message}${findings.length > 1 ? `, and ${findings.length - 1} more` : ''}`;
  const ending = unmerged('failed', reason, places);
  const result = buildResult({ ...decisions, findings, validated: false }, ending, places.keptAt);
  return { result, conflicts: null, warnings };
}

export async function endInConflict({ input, places, decisions, warnings }: End): Promise<MergeOutcome> {
  const { strategy, executionId } = input;
  const isForReview = strategy.conflict_resolution !== 'fail_on_conflict';
  const conflicts = isForReview ? await reportConflicts(input, decisions, places) : null;
  await endUnmerged({ executionId, decisions, places }, conflicts);
  const count = decisions.open.length;
  const ending = {
    ...unmerged('conflict', `${count} ${count === 1 ? 'conflict is' : 'conflicts are'} not resolved`, places),
    conflicts_file: isForReview ? places.conflicts : null,
  };
  // The united pack does not exist yet, so its consistency is not known; its parts may have been checked.
  const { schema_validation, semantic_consistency } = strategy.validation;
  const isChecked = schema_validation && !semantic_consistency && decisions.packs.sources.length > 0;
  const result = buildResult({ ...decisions, findings: [], validated: isChecked || null }, ending, places.keptAt);
  return { result, conflicts, warnings };
}

function unmerged(status: 'failed' | 'conflict', reason: string, { record }: Places) {
  return { status, reason, merged_ctxpack: null, merged_files: [], conflicts_file: null, record };
}

async function reportConflicts(input: MergeInput, { open }: Decisions, places: Places): Promise<ConflictReport> {
  const shown = await inBatches(open, FILES_AT_ONCE, async dispute => {
    return { dispute, bodies: await readSides(dispute, INLINE_BYTES) };
  });
  const conflicts = buildConflicts(shown, places.keptAt);
  return { execution_id: input.executionId, written_at: input.now, conflicts };
}
