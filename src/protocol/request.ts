// execution_request.json: what the main orchestrator asks the engine to do.
// This file is the format: types, validation, `baton schema request` and docs/protocol.md come from it.
// What needs more than one field or the disk (names, graph, places) is checked in src/request.

import { z } from 'zod';
import { AgentName, ExecutionId, Instant, PathText, SlotName, WEEK_SECONDS } from './text.ts';

export const Criterion = z
  .union([z.boolean(), z.number(), z.string()])
  .describe('true/false: must be equal. A number: the measured one must be at least this. A string: must be equal.');
export type Criterion = z.infer<typeof Criterion>;

export const Task = z.strictObject({
  description: z.string().min(1).max(100_000).describe('What the agent is to do, in words.'),
  inputs: z
    .record(SlotName, PathText)
    .default({})
    .describe('Files or folders the agent reads. Each must exist, or be an output of an agent it depends on.'),
  outputs: z
    .record(SlotName, PathText)
    .default({})
    .describe('Files or folders the agent must produce. Inside workspace_root or a folder given with --allow-root.'),
  success_criteria: z
    .record(z.string().min(1).max(128), Criterion)
    .default({})
    .describe('Conditions for success, each verified by a check in agent.json or reported in agent_result.json.'),
});
export type Task = z.infer<typeof Task>;

export const AgentRequest = z.strictObject({
  agent_name: AgentName.describe('Unique in this request. Need not equal the name of the folder.'),
  agent_path: PathText.describe('The folder with agent.json and AGENT.md. Several agents may share one.'),
  task: Task,
  dependencies: z.array(z.string()).default([]).describe('Names of agents that must succeed before this one starts.'),
  timeout: z.number().positive().max(WEEK_SECONDS).default(3600).describe('Seconds one attempt may take.'),
});
export type AgentRequest = z.infer<typeof AgentRequest>;

export const MergeType = z.enum(['ctxpack_union', 'file_merge', 'report_aggregation']);
export type MergeType = z.infer<typeof MergeType>;
export const ConflictResolution = z.enum(['auto', 'manual_review', 'fail_on_conflict']);
export type ConflictResolution = z.infer<typeof ConflictResolution>;

export const MergeStrategy = z.strictObject({
  type: MergeType.default('ctxpack_union').describe('How the outputs of the successful agents become one result.'),
  conflict_resolution: ConflictResolution.default('manual_review').describe('What happens when outputs disagree.'),
  validation: z
    .strictObject({
      semantic_consistency: z.boolean().default(true).describe('Dangling, contradicting or cyclic relations fail.'),
      schema_validation: z.boolean().default(true).describe('A .ctxp file that breaks its schema fails the merge.'),
    })
    .prefault({}),
});
export type MergeStrategy = z.infer<typeof MergeStrategy>;

export const LogLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type LogLevel = z.infer<typeof LogLevel>;

export const ExecutionOptions = z.strictObject({
  parallel_limit: z.int().min(1).max(256).default(4).describe('Agents of this execution that may run at once.'),
  retry_on_failure: z.boolean().default(true).describe('Try a failed agent again. A timeout is not retried.'),
  max_retries: z.int().min(0).max(10).default(2).describe('Attempts after the first one.'),
  checkpoint_enabled: z.boolean().default(true).describe('Snapshot inputs and existing outputs for `baton rollback`.'),
  log_level: LogLevel.default('info').describe('What is written to logs/engine.log and shown by `baton run`.'),
  total_timeout: z.number().positive().max(WEEK_SECONDS).optional().describe('Seconds the whole execution may take.'),
});
export type ExecutionOptions = z.infer<typeof ExecutionOptions>;

export const ExecutionRequest = z.strictObject({
  execution_id: ExecutionId.describe('Unique name of this execution.'),
  request_timestamp: Instant.optional().describe('When the request was written.'),
  workspace_root: PathText.describe('Folder of the execution; made when missing. Relative: beside the request file.'),
  agents: z.array(AgentRequest).min(1).max(1000),
  merge_strategy: MergeStrategy.prefault({}),
  execution_options: ExecutionOptions.prefault({}),
});
export type ExecutionRequest = z.infer<typeof ExecutionRequest>;

// execution_request.rejected.json: why `baton engine --watch` did not run the request beside it.
export const Problem = z.strictObject({
  path: z.string().describe('Where in the request, e.g. agents[0].task.inputs.code; empty for the whole file.'),
  message: z.string().describe('What is wrong.'),
  cure: z.string().describe('What to do about it.'),
});
export type Problem = z.infer<typeof Problem>;

export const Rejection = z.strictObject({
  rejected_at: Instant,
  request_sha256: z.string(),
  problems: z.array(Problem).min(1),
});
export type Rejection = z.infer<typeof Rejection>;
