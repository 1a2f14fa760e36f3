// status.json: the execution as it stands, rewritten as it changes.

import { z } from 'zod';
import { ExecutionStatus } from './report.ts';
import { AgentName, ExecutionId, Instant } from './text.ts';

export const Phase = z.enum(['setup', 'execute', 'validate', 'merge', 'done']);
export type Phase = z.infer<typeof Phase>;

export const LiveAgentStatus = z.enum(['pending', 'running', 'parked', 'success', 'failure', 'timeout', 'skipped']);
export type LiveAgentStatus = z.infer<typeof LiveAgentStatus>;

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
