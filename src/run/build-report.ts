// execution_report.json from the run: pure; the same run gives the same report.

import type { AgentReport, AttemptReport, ExecutionReport, ExecutionStatus, MergeResult } from '../protocol/report.ts';
import type { AgentRun, EndedAttempt, RunState } from './run-state.ts';
import { attemptPlaces } from './workspace-places.ts';

export const noMerge = (reason: string): MergeResult => ({
  status: 'skipped',
  reason,
  merged_ctxpack: null,
  conflicts_detected: 0,
  conflicts_resolved: 0,
  validation_passed: null,
  merged_files: [],
  findings: [],
  resolutions: [],
  conflicts: [],
  conflicts_file: null,
  record: null,
});

export function buildReport(state: RunState, endedAt: number): ExecutionReport {
  const agents = [...state.agents.values()].map(run => agentReport(run, state.workspace));
  const merge = state.merge ?? noMerge('the merge was not reached');
  const failures = agents.filter(agent => agent.status !== 'success');
  return {
    execution_id: state.request.execution_id,
    status: overallStatus(state, agents, merge),
    start_timestamp: isoTime(state.startedAt),
    end_timestamp: isoTime(endedAt),
    duration_seconds: seconds(endedAt - state.startedAt),
    agents,
    merge_result: merge,
    errors: [
      ...failures.map(agent => ({
        agent: agent.agent_name,
        message: `${agent.status}: ${agent.reason ?? 'unknown reason'}`,
      })),
      ...(merge.status === 'conflict' || merge.status === 'failed'
        ? [{ agent: null, message: `merge ${merge.status}: ${merge.reason ?? 'unknown reason'}` }]
        : []),
      ...state.errors,
    ],
    warnings: state.warnings,
  };
}

function overallStatus(state: RunState, agents: AgentReport[], merge: MergeResult): ExecutionStatus {
  if (state.ending === 'cancelled') return 'cancelled';
  if (state.ending === 'timeout') return 'timeout';
  const good = agents.filter(agent => agent.status === 'success').length;
  if (good === 0 || merge.status === 'conflict' || merge.status === 'failed') return 'failure';
  return good === agents.length ? 'success' : 'partial_success';
}

function agentReport(run: AgentRun, workspace: string): AgentReport {
  const { state } = run;
  if (state.at !== 'ended') throw new Error(`${run.request.agent_name} has not ended, it is ${state.at}`);
  const attempts = run.attempts.map((ended, index) => {
    // A later attempt moved the logs of this one away.
    const { archivedLogs } = attemptPlaces(workspace, run.request.agent_name, ended.attempt);
    return { ...attemptReport(ended), ...(index < run.attempts.length - 1 ? { logs: archivedLogs } : {}) };
  });
  const last = state.status === 'skipped' ? undefined : run.attempts.at(-1);
  const outcome = last?.outcome;
  return {
    agent_name: run.request.agent_name,
    status: state.status,
    reason: state.reason,
    tmux_session: last?.session ?? null,
    start_time: last ? isoTime(last.startedAt) : null,
    end_time: last ? isoTime(last.endedAt) : null,
    duration_seconds: last ? seconds(last.endedAt - last.startedAt) : 0,
    exit_code: outcome?.exit_code ?? null,
    outputs_produced: outcome?.outputs_produced ?? {},
    success_criteria_met: outcome?.success_criteria_met ?? {},
    success_criteria_evidence: outcome?.success_criteria_evidence ?? {},
    logs: outcome?.logs ?? null,
    metrics: outcome?.metrics ?? {},
    summary: outcome?.summary ?? null,
    files_modified: outcome?.files_modified ?? [],
    commits_made: outcome?.commits_made ?? [],
    claude: outcome?.claude ?? null,
    attempts,
  };
}

function attemptReport({ attempt, session, startedAt, endedAt, outcome }: EndedAttempt): AttemptReport {
  return {
    attempt,
    status: outcome.status,
    reason: outcome.reason,
    tmux_session: session,
    start_time: isoTime(startedAt),
    end_time: isoTime(endedAt),
    duration_seconds: seconds(endedAt - startedAt),
    exit_code: outcome.exit_code,
    signal: outcome.signal,
    logs: outcome.logs,
  };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
const seconds = (ms: number): number => Math.round(ms) / 1000;
