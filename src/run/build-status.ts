// status.json from the run: pure, so that every reader sees what the engine knows.

import type { AgentLine, ClaudeLine, LiveAgentStatus, Status } from '../protocol/status.ts';
import type { AgentRun, Attempt, RunState } from './run-state.ts';

// What a Claude Code session shows just now; the rest of its line is told by the events.
export type LiveClaude = Pick<ClaudeLine, 'state' | 'context' | 'cost_usd' | 'held_by' | 'sources'>;
export type LiveFacts = {
  now: string;
  enginePid: number;
  lastLines: ReadonlyMap<string, string>;
  claude: ReadonlyMap<string, LiveClaude>;
};

export function buildStatus(state: RunState, facts: LiveFacts): Status {
  const agents = [...state.agents.values()].map(run => agentLine(run, facts));
  const counts: Record<LiveAgentStatus, number> = {
    pending: 0,
    running: 0,
    parked: 0,
    success: 0,
    failure: 0,
    timeout: 0,
    skipped: 0,
  };
  for (const agent of agents) counts[agent.status]++;
  return {
    execution_id: state.request.execution_id,
    status: state.ended?.status ?? 'running',
    phase: state.phase,
    paused: state.isPaused,
    updated_at: facts.now,
    start_time: isoTime(state.startedAt),
    engine_pid: state.ended ? null : facts.enginePid,
    workspace_root: state.workspace,
    counts,
    note: state.heldBack?.reason ?? null,
    agents,
  };
}

function agentLine(run: AgentRun, { lastLines, claude }: LiveFacts): AgentLine {
  const { state } = run;
  const last = run.attempts.at(-1);
  const now = 'now' in state ? state.now : null;
  const live = claude.get(run.request.agent_name);
  const shown = now ?? (state.at === 'ended' && state.status !== 'skipped' ? last : undefined);
  return {
    agent_name: run.request.agent_name,
    status: state.at === 'ended' ? state.status : now?.talk.isParked ? 'parked' : now ? 'running' : 'pending',
    attempt: now?.attempt ?? run.attempts.length,
    tmux_session: shown?.session ?? null,
    pane: now?.opened?.pane ?? null,
    start_time: shown ? isoTime(shown.startedAt) : null,
    end_time: now || !shown || !last ? null : isoTime(last.endedAt),
    last_line: lastLines.get(run.request.agent_name) ?? null,
    note: noteOf(run),
    dependencies: run.request.dependencies,
    claude: now && live ? claudeLine(now, live) : null,
  };
}

function claudeLine({ talk }: Attempt, live: LiveClaude): ClaudeLine {
  const until = talk.parkedUntil === null ? null : isoTime(talk.parkedUntil);
  return {
    ...live,
    session_id: talk.sessionIds.at(-1) ?? null,
    nudges: talk.nudges,
    restarts: talk.launches.length - 1,
    question: talk.question,
    parked: talk.isParked ? { reason: talk.parkedReason ?? 'parked', until } : null,
  };
}

function noteOf({ state, attempts }: AgentRun): string | null {
  if (state.at === 'ended') return state.reason;
  if (state.at === 'verifying') return 'its outputs are being checked';
  if (state.at === 'stopping') return `it is being stopped (${state.stop.reason ?? state.stop.cause})`;
  const last = attempts.at(-1);
  return state.at === 'pending' && last ? `waits for another attempt: ${last.outcome.reason}` : null;
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
