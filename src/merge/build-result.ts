// The merge's line in the report, from what was decided. Pure.

import type { Finding, MergeResult } from '../protocol/report.ts';
import { discardedSides } from './apply-verdict.ts';
import type { Dispute, Resolved } from './leaf.ts';

export type Decided = { disputes: Dispute[]; resolved: Resolved[]; findings: Finding[]; validated: boolean | null };

type Ending = Pick<MergeResult, 'status' | 'reason' | 'merged_ctxpack' | 'merged_files' | 'conflicts_file' | 'record'>;

export function buildResult(decided: Decided, ending: Ending, keptAt: (sha256: string) => string): MergeResult {
  const { disputes, resolved, findings, validated } = decided;
  const isResolved = new Set(resolved.map(one => one.dispute.id));
  return {
    ...ending,
    conflicts_detected: disputes.length,
    conflicts_resolved: resolved.length,
    validation_passed: validated,
    findings,
    resolutions: resolved.map(one => ({
      conflict: one.dispute.id,
      path: one.dispute.path,
      rule: one.verdict.rule,
      chosen: one.verdict.chosen,
      discarded: discardedSides(one).map(({ agent, sha256 }) => ({ agent, sha256, kept_at: keptAt(sha256) })),
    })),
    conflicts: disputes
      .filter(dispute => !isResolved.has(dispute.id))
      .map(({ id, path, sides }) => ({ conflict: id, path, agents: [...new Set(sides.map(side => side.agent))] })),
  };
}

// A merge that ended before anything could be decided.
export function emptyResult(status: 'failed' | 'skipped', reason: string): MergeResult {
  const ending = { status, reason, merged_ctxpack: null, merged_files: [], conflicts_file: null, record: null };
  return buildResult({ disputes: [], resolved: [], findings: [], validated: null }, ending, sha256 => sha256);
}
