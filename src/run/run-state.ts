// One execution as a value: the fold of its events, and nothing else. An agent goes
//
//   pending ─ started ─▶ running ─ exited ─▶ verifying ─ ended ─▶ ended (or pending again, for a retry)
//      │                    └─ over time, cancelled ─▶ stopping ─ ended ─┘
//      └─ skipped ─▶ ended
//
// Pure: the same events always give the same state, so a restarted engine knows what the old one knew.

import { newTalk, type Talk } from '../conversation/talk.ts';
import type { AttemptOutcome, Event } from '../protocol/event.ts';
import type { AgentStatus, ExecutionStatus, MergeResult, ReportWarning } from '../protocol/report.ts';
import type { AgentRequest, ExecutionRequest } from '../protocol/request.ts';
import type { Phase } from '../protocol/status.ts';
import { applyTalkEvent, isTalkEvent } from './apply-talk.ts';

export type Logs = { stdout: string; stderr: string };
export type StopCause = 'timeout' | 'total_timeout' | 'cancelled' | 'gave_up';
export type Stop = { cause: StopCause; reason: string | null; mayRetry: boolean };

// What is known of an attempt from its beginning on.
export type Attempt = {
  attempt: number;
  session: string;
  startedAt: number;
  logs: Logs;
  opened: { pane: string; pid: number; pidStart: string } | null;
  talk: Talk; // of a Claude Code session; other agents leave it as it is at the beginning
};
export type EndedAttempt = Attempt & { endedAt: number; outcome: AttemptOutcome };
export type Exit = { code: number | null; signal: string | null };

export type AgentState =
  | { at: 'pending'; notBefore: number }
  | { at: 'running'; now: Attempt }
  | { at: 'stopping'; now: Attempt; stop: Stop }
  | { at: 'verifying'; now: Attempt; exit: Exit }
  | { at: 'ended'; status: AgentStatus; reason: string | null };

export type AgentRun = {
  request: AgentRequest;
  state: AgentState;
  attempts: EndedAttempt[];
  triesFrom: number; // attempts before this many do not count against max_retries (`baton retry`)
};

export type RunState = {
  request: ExecutionRequest;
  requestSha256: string;
  workspace: string;
  allowRoots: string[];
  trusted: string[];
  startedAt: number;
  openedAt: number; // start, or the last reopening by `baton retry`: total_timeout counts from here
  phase: Phase;
  isPaused: boolean;
  heldBack: { reason: string; since: number } | null;
  ending: 'cancelled' | 'timeout' | null;
  agents: Map<string, AgentRun>;
  merge: MergeResult | null;
  warnings: ReportWarning[];
  errors: { agent: string | null; message: string }[];
  ended: { status: ExecutionStatus; at: number } | null;
  lastId: number;
};

export function foldEvents(events: Iterable<Event>, from: RunState | null = null): RunState | null {
  let state = from;
  for (const event of events) state = applyEvent(state, event);
  return state;
}

export function applyEvent(state: RunState | null, event: Event): RunState {
  const at = Date.parse(event.time);
  if (event.type === 'execution_started') return beginRun(event, at);
  if (state === null) throw new Error(`the first event must be execution_started, not ${event.type}`);
  return { ...applyRunEvent(state, event, at), lastId: event.id };
}

function beginRun(event: Extract<Event, { type: 'execution_started' }>, at: number): RunState {
  const { request, request_sha256, workspace_root, allow_roots, trusted } = event.data;
  return {
    request,
    requestSha256: request_sha256,
    workspace: workspace_root,
    allowRoots: allow_roots,
    trusted,
    startedAt: at,
    openedAt: at,
    phase: 'setup',
    isPaused: false,
    heldBack: null,
    ending: null,
    agents: new Map(
      request.agents.map(agent => [
        agent.agent_name,
        { request: agent, state: { at: 'pending', notBefore: 0 }, attempts: [], triesFrom: 0 },
      ]),
    ),
    merge: null,
    warnings: [],
    errors: [],
    ended: null,
    lastId: event.id,
  };
}

function applyRunEvent(state: RunState, event: Exclude<Event, { type: 'execution_started' }>, at: number): RunState {
  switch (event.type) {
    case 'phase_entered':
      return { ...state, phase: event.data.phase };
    case 'paused':
      return { ...state, isPaused: true };
    case 'unpaused':
      return { ...state, isPaused: false };
    case 'held_back':
      return { ...state, heldBack: event.data.reason === null ? null : { reason: event.data.reason, since: at } };
    case 'cancel_requested':
      return { ...state, ending: state.ending ?? 'cancelled' };
    case 'total_timeout':
      return { ...state, ending: state.ending ?? 'timeout' };
    case 'warning':
      return { ...state, warnings: [...state.warnings, { agent: event.agent, ...event.data }] };
    case 'error':
      return { ...state, errors: [...state.errors, { agent: event.agent, message: event.data.message }] };
    case 'merge_ended':
      return { ...state, merge: event.data.result };
    case 'execution_ended':
      return { ...state, phase: 'done', ended: { status: event.data.status, at } };
    case 'reopened':
      return { ...state, ended: null };
    case 'retry_requested':
      return reopen(state, event.data.agents, at);
    case 'engine_started':
    case 'checkpoint_made':
    case 'rolled_back':
      return state;
    default: {
      const agents = new Map(state.agents);
      const run = agents.get(event.agent)!;
      agents.set(event.agent, isTalkEvent(event) ? applyTalk(run, event, at) : applyAgentEvent(run, event, at));
      return { ...state, agents };
    }
  }
}

type AgentEvent = Extract<
  Event,
  {
    type:
      | 'attempt_started'
      | 'attempt_opened'
      | 'attempt_stopping'
      | 'attempt_exited'
      | 'attempt_ended'
      | 'retry_scheduled'
      | 'agent_skipped'
      | 'output_lost';
  }
>;

function applyAgentEvent(run: AgentRun, event: AgentEvent, at: number): AgentRun {
  switch (event.type) {
    case 'attempt_started': {
      const { attempt, session, logs } = event.data;
      const now = { attempt, session, logs, startedAt: at, opened: null, talk: newTalk(at) };
      return { ...run, state: { at: 'running', now } };
    }
    case 'attempt_opened': {
      if (run.state.at !== 'running' && run.state.at !== 'stopping') return run;
      const { pane, pid, pid_start: pidStart } = event.data;
      return { ...run, state: { ...run.state, now: { ...run.state.now, opened: { pane, pid, pidStart } } } };
    }
    case 'attempt_stopping': {
      const { cause, reason, may_retry: mayRetry } = event.data;
      return { ...run, state: { at: 'stopping', now: currentAttempt(run), stop: { cause, reason, mayRetry } } };
    }
    case 'attempt_exited': {
      const exit = { code: event.data.exit_code, signal: event.data.signal };
      return run.state.at === 'running' ? { ...run, state: { at: 'verifying', now: run.state.now, exit } } : run;
    }
    case 'attempt_ended': {
      const { outcome } = event.data;
      const attempts = [...run.attempts, { ...currentAttempt(run), endedAt: at, outcome }];
      return { ...run, attempts, state: { at: 'ended', status: outcome.status, reason: outcome.reason } };
    }
    case 'retry_scheduled':
      return { ...run, state: { at: 'pending', notBefore: Date.parse(event.data.not_before) } };
    case 'agent_skipped':
      return { ...run, state: notTried(run, event.data.reason) };
    case 'output_lost':
      return { ...run, state: { at: 'ended', status: 'failure', reason: event.data.reason } };
  }
}

function applyTalk(run: AgentRun, event: Parameters<typeof applyTalkEvent>[1], at: number): AgentRun {
  if (!('now' in run.state)) return run;
  const now = { ...run.state.now, talk: applyTalkEvent(run.state.now.talk, event, at) };
  return { ...run, state: { ...run.state, now } };
}

// One that only waited for its next attempt has run: it stays what its last attempt made it.
function notTried(run: AgentRun, reason: string): AgentState {
  const last = run.attempts.length > run.triesFrom ? run.attempts.at(-1) : undefined;
  if (!last) return { at: 'ended', status: 'skipped', reason };
  return { at: 'ended', status: last.outcome.status, reason: `${last.outcome.reason}; not tried again: ${reason}` };
}

export function currentAttempt(run: AgentRun): Attempt {
  if ('now' in run.state) return run.state.now;
  throw new Error(`${run.request.agent_name} has no attempt under way, it is ${run.state.at}`);
}

function reopen(state: RunState, names: string[], at: number): RunState {
  const agents = new Map(state.agents);
  for (const name of names) {
    const run = agents.get(name)!;
    agents.set(name, { ...run, state: { at: 'pending', notBefore: 0 }, triesFrom: run.attempts.length });
  }
  return {
    ...state,
    agents,
    openedAt: at,
    phase: 'execute',
    ending: null,
    merge: null,
    ended: null,
    isPaused: false,
    heldBack: null,
  };
}
