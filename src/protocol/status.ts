// status.json: the execution as it stands, rewritten as it changes.

import { z } from 'zod';
import { ExecutionStatus } from './report.ts';
import { ScreenState } from './screen.ts';
import { AgentName, ExecutionId, Instant } from './text.ts';

export const Phase = z.enum(['setup', 'execute', 'validate', 'merge', 'done']);
export type Phase = z.infer<typeof Phase>;

export const LiveAgentStatus = z.enum(['pending', 'running', 'parked', 'success', 'failure', 'timeout', 'skipped']);
export type LiveAgentStatus = z.infer<typeof LiveAgentStatus>;

export const Question = z.strictObject({
  kind: z.enum(['permission', 'question', 'plan']),
  title: z.string(),
  options: z.array(z.strictObject({ number: z.int(), label: z.string() })),
  digest: z.string().describe('Names the question; an answer is refused when the screen shows another one.'),
  asked_at: Instant,
});
export type Question = z.infer<typeof Question>;

export const ContextReading = z.strictObject({
  tokens: z.number(),
  window: z.number().nullable(),
  source: z.enum(['record', 'screen', 'transcript', 'estimate']),
  session_id: z.string().nullable(),
  at: Instant,
});
export type ContextReading = z.infer<typeof ContextReading>;

export const ClaudeLine = z.strictObject({
  state: ScreenState.describe('What its screen shows.'),
  session_id: z.string().nullable(),
  context: ContextReading.nullable().describe('null: unknown, never 0.'),
  cost_usd: z.number().nullable(),
  nudges: z.int(),
  restarts: z.int(),
  question: Question.nullable(),
  parked: z.strictObject({ reason: z.string(), until: Instant.nullable() }).nullable(),
  held_by: z.string().nullable().describe('Who has control of the pane; nothing is sent meanwhile.'),
  sources: z.record(z.string(), z.string()).describe('Where each of these was read.'),
});
export type ClaudeLine = z.infer<typeof ClaudeLine>;

export const AgentLine = z.strictObject({
  agent_name: AgentName,
  status: LiveAgentStatus,
  attempt: z.int().min(0).describe('0: not started yet.'),
  tmux_session: z.string().nullable(),
  pane: z.string().nullable(),
  start_time: Instant.nullable(),
  end_time: Instant.nullable(),
  last_line: z.string().nullable(),
  note: z.string().nullable().describe('Why it waits, failed or was skipped.'),
  dependencies: z.array(z.string()),
  claude: ClaudeLine.nullable().describe('For agents that are Claude Code sessions.'),
});
export type AgentLine = z.infer<typeof AgentLine>;

export const Status = z.strictObject({
  execution_id: ExecutionId,
  status: z.union([z.literal('running'), ExecutionStatus]),
  phase: Phase,
  paused: z.boolean(),
  updated_at: Instant,
  start_time: Instant,
  engine_pid: z.int().nullable(),
  workspace_root: z.string(),
  counts: z.record(LiveAgentStatus, z.int()),
  note: z.string().nullable().describe('What holds the execution up, e.g. too little free disk.'),
  agents: z.array(AgentLine),
});
export type Status = z.infer<typeof Status>;
