// The files of a headless run: the settings it is started with, the result of the whole chain of sessions,
// and what is remembered of an agent's chains. The screen of the pane and the raw stream are no part of it.

import { z } from 'zod';
import { Instant, WEEK_SECONDS } from './text.ts';

// However many are asked for: a task that needs more than four sessions is too big.
export const MAX_CONTINUATIONS_CAP = 3;

export const ChainLimits = z.strictObject({
  max_agent_continuations: z
    .int()
    .min(0)
    .max(MAX_CONTINUATIONS_CAP, `is over the hard cap of ${MAX_CONTINUATIONS_CAP}; split the task instead`)
    .default(2)
    .describe('Fresh sessions after the first one. 0 is off.'),
  max_chain_cost_usd: z.number().positive().default(2).describe('Over all sessions, spend in flight included.'),
  max_agent_turns: z.int().min(1).max(10_000).default(30).describe('Turns of each single session.'),
  max_seconds: z.number().positive().max(WEEK_SECONDS).default(21_600).describe('Time of the whole chain.'),
  max_silence_seconds: z
    .number()
    .positive()
    .max(WEEK_SECONDS)
    .default(1200)
    .describe('A session whose stream says nothing for so long is ended. A single tool may take 10 minutes.'),
  handoff_seconds: z
    .number()
    .positive()
    .max(3600)
    .default(180)
    .describe('How long the agent may take to write its HANDOFF section when the context is full.'),
});
export type ChainLimits = z.infer<typeof ChainLimits>;

export const permissionModes = ['manual', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'] as const;

const FilePath = z.string().regex(/^\/[^\0]*$/, 'must be an absolute path');

// Linux takes no single argument over 128 KiB; the rule of the handoff is added to it.
const MAX_ARGUMENT_BYTES = 120_000;
const ArgumentText = z
  .string()
  .refine(text => Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES, `is over ${MAX_ARGUMENT_BYTES} bytes`);

export const HeadlessSettings = z.strictObject({
  claude_path: FilePath.describe('The Claude Code program.'),
  cwd: FilePath.describe('Working folder of every session.'),
  prompt: z.string().min(1).max(1_000_000).describe('The task, contract included.'),
  append_system_prompt: ArgumentText.default('').describe('Role and rules; same in every session.'),
  settings_file: FilePath.nullable().default(null).describe('Claude Code settings; our PreCompact hook is added.'),
  permission_mode: z.enum(permissionModes).default('acceptEdits'),
  model: z.string().min(1).nullable().default(null),
  arguments: z.array(z.string()).default([]).describe('More arguments for Claude Code, as they are.'),
  env: z.record(z.string(), z.string()).default({}).describe('Variables on top of the inherited ones.'),
  limits: ChainLimits.default(() => ChainLimits.parse({})),
  raw_file: FilePath.describe('The stream as it came, one JSON object a line.'),
  result_file: FilePath.describe('Where the result of the chain is written, last.'),
});
export type HeadlessSettings = z.infer<typeof HeadlessSettings>;
export type HeadlessWish = z.input<typeof HeadlessSettings>; // before defaults are filled in

export const Tokens = z.strictObject({
  input: z.int().min(0),
  output: z.int().min(0),
  cache_read: z.int().min(0),
  cache_creation: z.int().min(0),
});
export type Tokens = z.infer<typeof Tokens>;

export const PermissionDenial = z.strictObject({ tool: z.string(), input: z.string() });
export type PermissionDenial = z.infer<typeof PermissionDenial>;

export const endings = [
  'completed',
  'completed_with_denials',
  'context_full',
  'max_turns',
  'cost_cap',
  'api_error',
  'error',
  'timeout',
  'stalled',
  'cancelled',
] as const;

export const SessionResult = z.strictObject({
  session_id: z.string(),
  claude_version: z.string().nullable(),
  ended_by: z.enum(endings),
  reason: z.string().nullable().describe('In words, where it did not simply complete.'),
  api_error_status: z.int().nullable(),
  permission_denials: z.array(PermissionDenial),
  pre_compacted: z.boolean().describe('Claude Code wanted to compact the context.'),
  handoff: z.enum(['none', 'incomplete', 'complete']),
  turns: z.int().min(0),
  cost_usd: z.number().min(0),
  cost_source: z.enum(['reported', 'estimated']).describe('Told by Claude Code, or ours from token counts.'),
  tokens: Tokens,
  started_at: Instant,
  ended_at: Instant,
});
export type SessionResult = z.infer<typeof SessionResult>;

export const ChainResult = z.strictObject({
  version: z.literal(1),
  ended_by: z.enum(endings).describe('How the last session ended.'),
  ended_well: z.boolean(),
  reason: z.string().nullable(),
  stopped_because: z.string().describe('Why no further session followed.'),
  cost_usd: z.number().min(0),
  cost_source: z.enum(['reported', 'estimated']),
  tokens: Tokens,
  turns: z.int().min(0),
  continuations: z.int().min(0),
  pre_compacted: z.boolean(),
  final_session_id: z.string(),
  permission_denials: z.array(PermissionDenial),
  sessions: z.array(SessionResult).min(1),
  output_tail: z.string(),
});
export type ChainResult = z.infer<typeof ChainResult>;

// How big a task looks before it runs. Enough to compare it with earlier ones of the same agent.
export const TaskSize = z.strictObject({
  characters: z.int().min(0),
  inputs: z.int().min(0),
  outputs: z.int().min(0),
  criteria: z.int().min(0),
});
export type TaskSize = z.infer<typeof TaskSize>;

export const ChainRun = z.strictObject({
  at: Instant,
  continuations: z.int().min(0),
  pre_compacted: z.boolean(),
  ended_by: z.enum(endings),
  turns: z.int().min(0),
  cost_usd: z.number().min(0),
  task: TaskSize,
});
export type ChainRun = z.infer<typeof ChainRun>;

export const ContinuationHistory = z.strictObject({
  version: z.literal(1),
  agent: z.string(),
  runs: z.int().min(0),
  runs_continued: z.int().min(0),
  last_continuations: z.int().min(0),
  total_continuations: z.int().min(0),
  recent: z.array(ChainRun).describe('The newest last.'),
});
export type ContinuationHistory = z.infer<typeof ContinuationHistory>;
