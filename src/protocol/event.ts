// events.ndjson: everything that happened in one execution, one line each, appended by its one writer.
// The engine's own state is a fold over these lines, so a restarted engine reads itself back from here.

import { z } from 'zod';
import { ClaudeReport, Evidence, ExecutionStatus, Logs, Measured, MergeResult, Metrics, Severity } from './report.ts';
import { ExecutionRequest } from './request.ts';
import { Phase, Question } from './status.ts';
import { AgentName, Instant } from './text.ts';

// Everything that was found out about one ended attempt; the report is built from it.
export const AttemptOutcome = z.strictObject({
  status: z.enum(['success', 'failure', 'timeout']),
  reason: z.string().nullable(),
  may_retry: z.boolean().describe('false: trying again is pointless or forbidden (timeout, cancel).'),
  refused: z.boolean().optional().describe('By the service, not for its work: not counted against max_retries.'),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  outputs_produced: z.record(z.string(), z.string()),
  success_criteria_met: z.record(z.string(), Measured),
  success_criteria_evidence: z.record(z.string(), Evidence),
  logs: Logs,
  metrics: Metrics,
  summary: z.string().nullable(),
  files_modified: z.array(z.string()),
  commits_made: z.array(z.string()),
  claude: ClaudeReport.nullable().default(null),
});
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

export const Purpose = z.enum(['task', 'nudge', 'again', 'person', 'handoff', 'resume']);
export type Purpose = z.infer<typeof Purpose>;

const head = { id: z.int().min(1), time: Instant };
const agent = AgentName;
const attempt = z.int().min(1);
const of = <T extends string, W extends z.ZodType<string | null>, S extends z.ZodRawShape>(type: T, who: W, data: S) =>
  z.strictObject({ ...head, type: z.literal(type), agent: who, data: z.strictObject(data) });

export const Event = z.discriminatedUnion('type', [
  of('execution_started', z.null(), {
    request: ExecutionRequest,
    request_sha256: z.string(),
    workspace_root: z.string(),
    allow_roots: z.array(z.string()),
    trusted: z.array(z.string()).default([]).describe('Folders the operator trusts for Claude Code.'),
  }),
  of('engine_started', z.null(), { pid: z.int(), resumed: z.boolean() }),
  of('phase_entered', z.null(), { phase: Phase }),
  of('attempt_started', agent, { attempt, session: z.string(), logs: Logs }),
  of('attempt_opened', agent, { attempt, pane: z.string(), pid: z.int(), pid_start: z.string() }),
  of('attempt_stopping', agent, {
    attempt,
    cause: z.enum(['timeout', 'total_timeout', 'cancelled', 'gave_up']),
    reason: z.string().nullable().default(null).describe('Of gave_up.'),
    may_retry: z.boolean().default(false),
  }),
  of('attempt_exited', agent, { attempt, exit_code: z.int().nullable(), signal: z.string().nullable() }),
  of('attempt_ended', agent, { attempt, outcome: AttemptOutcome }),
  // The talk with a Claude Code session.
  of('claude_launched', agent, {
    attempt,
    session_id: z.string(),
    how: z.enum(['new', 'resume']),
    why: z.string().nullable(),
    document: z.string().nullable().default(null).describe('What a new conversation begins from after an error.'),
  }),
  of('claude_ready', agent, { attempt, session_id: z.string(), took_ms: z.int() }),
  of('session_changed', agent, { attempt, session_id: z.string(), source: z.string() }),
  of('prompt_submitted', agent, {
    attempt,
    purpose: Purpose,
    sha256: z.string(),
    session_id: z.string().nullable(),
    proof: z.enum(['receipt', 'transcript']),
    took_ms: z.int(),
  }),
  of('prompt_failed', agent, { attempt, purpose: Purpose, why: z.string() }),
  of('question_opened', agent, { attempt, question: Question }),
  of('question_closed', agent, { attempt, how: z.string() }),
  of('parked', agent, { attempt, reason: z.string(), until: Instant.nullable() }),
  of('unparked', agent, { attempt }),
  of('leaving', agent, { attempt }),
  of('retry_scheduled', agent, { attempt, not_before: Instant }),
  of('agent_skipped', agent, { reason: z.string() }),
  of('output_lost', agent, { reason: z.string() }),
  of('retry_requested', agent, { agents: z.array(AgentName) }),
  of('paused', z.null(), {}),
  of('unpaused', z.null(), {}),
  of('cancel_requested', z.null(), { reason: z.string() }),
  of('total_timeout', z.null(), { seconds: z.number() }),
  of('held_back', z.null(), { reason: z.string().nullable() }),
  of('warning', agent.nullable(), { message: z.string(), severity: Severity }),
  of('error', agent.nullable(), { message: z.string() }),
  of('checkpoint_made', z.null(), { file: z.string(), bytes: z.int() }),
  of('merge_ended', z.null(), { result: MergeResult }),
  of('reopened', z.null(), {}),
  of('execution_ended', z.null(), { status: ExecutionStatus, report: z.string() }),
  of('rolled_back', z.null(), { restored: z.array(z.string()) }),
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['type'];
