// execution_report.json: what came of an execution. Written once, last; its presence means "over".

import { z } from 'zod';
import { ChainResult } from './chain.ts';
import { AgentName, ExecutionId, Instant } from './text.ts';

export const ExecutionStatus = z.enum(['success', 'partial_success', 'failure', 'timeout', 'cancelled']);
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;
export const AgentStatus = z.enum(['success', 'failure', 'timeout', 'skipped']);
export type AgentStatus = z.infer<typeof AgentStatus>;
export const Severity = z.enum(['low', 'medium', 'high']);
export type Severity = z.infer<typeof Severity>;

export const Evidence = z
  .enum(['checked', 'reported', 'none'])
  .describe('checked: the engine ran a command. reported: only the agent says so. none: nobody does.');
export type Evidence = z.infer<typeof Evidence>;

export const Measured = z
  .union([z.boolean(), z.number(), z.string(), z.null()])
  .describe('What was measured; null when unknown.');
export type Measured = z.infer<typeof Measured>;

export const Logs = z.strictObject({ stdout: z.string(), stderr: z.string() });
export const Metrics = z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]));
export type Metrics = z.infer<typeof Metrics>;

const { shape } = ChainResult;
export const ChainReport = z.strictObject({
  ended_by: shape.ended_by,
  reason: shape.reason.describe('In words, where the last session did not simply complete.'),
  stopped_because: shape.stopped_because,
  tokens: shape.tokens.describe('Of all sessions.'),
  turns: shape.turns.describe('Of all sessions.'),
  cost_source: shape.cost_source.describe('Told by Claude Code, or ours from token counts.'),
  pre_compacted: shape.pre_compacted.describe('Some session met a full context.'),
  final_session_id: shape.final_session_id,
  permission_denials: shape.permission_denials,
  total_continuations: z.int().nullable().describe('Of this agent in all its runs, this one included.'),
});
export type ChainReport = z.infer<typeof ChainReport>;

export const ClaudeReport = z.strictObject({
  version: z.string().nullable(),
  permission_mode: z.string(),
  session_ids: z.array(z.string()),
  nudges: z.int(),
  restarts: z.int(),
  parked_seconds: z.number(),
  context_tokens: z.number().nullable().describe('Last reading; null: unknown.'),
  cost_usd: z.number().nullable(),
  transcripts: z.array(z.string()).describe('Copies in the folder of the execution.'),
  continuations: z.int().describe('claude-headless: sessions after the first.'),
  chain: ChainReport.nullable().default(null).describe('claude-headless: all its sessions; null: no result was left.'),
});
export type ClaudeReport = z.infer<typeof ClaudeReport>;

export const AttemptReport = z.strictObject({
  attempt: z.int().min(1),
  status: z.enum(['success', 'failure', 'timeout']),
  reason: z.string().nullable().describe('Why it did not succeed; null when it did.'),
  tmux_session: z.string().nullable(),
  start_time: Instant,
  end_time: Instant,
  duration_seconds: z.number(),
  exit_code: z.int().nullable().describe('null: unknown, e.g. killed with its tmux server.'),
  signal: z.string().nullable(),
  logs: Logs,
});
export type AttemptReport = z.infer<typeof AttemptReport>;

export const AgentReport = z.strictObject({
  agent_name: AgentName,
  status: AgentStatus,
  reason: z.string().nullable().describe('Why it did not succeed; null when it did.'),
  tmux_session: z.string().nullable(),
  start_time: Instant.nullable(),
  end_time: Instant.nullable(),
  duration_seconds: z.number(),
  exit_code: z.int().nullable(),
  outputs_produced: z.record(z.string(), z.string()),
  success_criteria_met: z.record(z.string(), Measured),
  success_criteria_evidence: z.record(z.string(), Evidence),
  logs: Logs.nullable(),
  metrics: Metrics,
  summary: z.string().nullable(),
  files_modified: z.array(z.string()).describe('Seen in a git repository; empty where there is none.'),
  commits_made: z.array(z.string()),
  claude: ClaudeReport.nullable().describe('For agents that are Claude Code sessions.'),
  attempts: z.array(AttemptReport),
});
export type AgentReport = z.infer<typeof AgentReport>;

export const Finding = z.strictObject({
  check: z.enum(['schema_validation', 'semantic_consistency']),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  source: z.string().nullable().describe('File or node it is about.'),
});
export type Finding = z.infer<typeof Finding>;

export const ResolvedConflict = z.strictObject({
  conflict: z.string().describe('Id, as in conflicts.json.'),
  path: z.string(),
  rule: z.string().describe('The rule of docs/merge.md that decided, or "taken" for a choice of a person.'),
  chosen: z.string().describe('Agent or file whose version was taken, or "merged".'),
  discarded: z.array(z.strictObject({ agent: z.string(), sha256: z.string(), kept_at: z.string() })),
});
export type ResolvedConflict = z.infer<typeof ResolvedConflict>;

export const MergeResult = z.strictObject({
  status: z.enum(['success', 'conflict', 'failed', 'skipped']),
  reason: z.string().nullable(),
  merged_ctxpack: z.string().nullable(),
  conflicts_detected: z.int().min(0),
  conflicts_resolved: z.int().min(0),
  validation_passed: z.boolean().nullable().describe('null: nothing was validated.'),
  merged_files: z.array(z.string()),
  findings: z.array(Finding),
  resolutions: z.array(ResolvedConflict),
  conflicts: z.array(z.strictObject({ conflict: z.string(), path: z.string(), agents: z.array(z.string()) })),
  conflicts_file: z.string().nullable().describe('conflicts.json, when a person has to choose.'),
  record: z.string().nullable().describe('merge/record.json: the fate of every file.'),
});
export type MergeResult = z.infer<typeof MergeResult>;

export const ReportError = z.strictObject({
  agent: AgentName.nullable().describe('null: the execution itself.'),
  message: z.string(),
});
export const ReportWarning = z.strictObject({
  agent: AgentName.nullable(),
  message: z.string(),
  severity: Severity,
});
export type ReportWarning = z.infer<typeof ReportWarning>;

export const ExecutionReport = z.strictObject({
  execution_id: ExecutionId,
  status: ExecutionStatus,
  start_timestamp: Instant,
  end_timestamp: Instant,
  duration_seconds: z.number(),
  agents: z.array(AgentReport),
  merge_result: MergeResult,
  errors: z.array(ReportError),
  warnings: z.array(ReportWarning),
});
export type ExecutionReport = z.infer<typeof ExecutionReport>;
