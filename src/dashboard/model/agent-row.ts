// One row of the overview: an agent of an execution, or a pane a person gave to the watchdog. Pure.

import type { AgentLine, Question } from '../../protocol/status.ts';
import { agentState, type Look, lastWords, looks, type Rank } from '../../text/agent-state.ts';
import { agentKey, type Point, paneRowKey, type Seen, type SeenExecution } from './seen.ts';

export { type Look, type Rank, ranks } from '../../text/agent-state.ts';

export type Context = { tokens: number | null; threshold: number | null; window: number | null };

export type Row = {
  key: string;
  who: string; // as commands want it
  execution: string | null; // null: an adopted pane
  workspace: string | null;
  name: string;
  task: string;
  rank: Rank;
  look: Look;
  attempt: number;
  startedAt: number | null;
  endedAt: number | null;
  context: Context;
  history: readonly Point[];
  handoff: string | null; // the step that runs just now
  costUsd: number | null; // of all its attempts
  unknownCosts: number; // attempts that nobody measured
  last: string;
  question: Question | null;
  heldBy: string | null;
  socket: string;
  pane: string | null;
  dependencies: readonly string[];
  isPaused: boolean;
  isClaude: boolean;
};

export function buildRows(seen: Seen): Row[] {
  const own = seen.executions.flatMap(execution =>
    execution.status.agents.map(agent => agentRow(seen, execution, agent)),
  );
  const known = new Set(own.flatMap(row => (row.pane === null ? [] : [paneRowKey(row.socket, row.pane)])));
  const panes = seen.watchdog.status?.panes ?? [];
  const adopted = panes.filter(({ socket, pane }) => socket !== seen.ownSocket && !known.has(paneRowKey(socket, pane)));
  return [...own, ...adopted.map(pane => paneRow(seen, pane))];
}

function agentRow(seen: Seen, execution: SeenExecution, agent: AgentLine): Row {
  const { status, workspace, id } = execution;
  const watched = seen.watchdog.status?.panes.find(
    each => each.socket === seen.ownSocket && each.pane === agent.pane && each.agent === agent.agent_name,
  );
  const key = agentKey(workspace, agent.agent_name);
  const last = execution.claude.get(agent.agent_name);
  const handoff = watched?.handoff?.state ?? null;
  return {
    key,
    who: `${id}/${agent.agent_name}`,
    execution: id,
    workspace,
    name: agent.agent_name,
    task: execution.tasks.get(agent.agent_name) ?? '',
    ...agentState(agent, {
      isLost: !execution.hasEngine && status.status === 'running',
      hasConflict: execution.conflicts.some(({ agents }) => agents.includes(agent.agent_name)),
      handoff,
    }),
    attempt: agent.attempt,
    startedAt: timeOf(agent.start_time),
    endedAt: timeOf(agent.end_time),
    context: {
      tokens: watched?.tokens ?? last?.context?.tokens ?? null,
      threshold: watched?.threshold ?? seen.thresholds.get(key) ?? execution.thresholds.get(agent.agent_name) ?? null,
      window: last?.context?.window ?? null,
    },
    history: seen.histories.get(key) ?? [],
    handoff,
    costUsd: last?.costUsd ?? null,
    unknownCosts: last?.unknownCosts ?? 0,
    last: lastWords(agent),
    question: agent.claude?.question ?? null,
    heldBy: agent.claude?.held_by ?? null,
    socket: seen.ownSocket,
    pane: agent.pane,
    dependencies: agent.dependencies,
    isPaused: status.paused,
    isClaude: last !== undefined,
  };
}

const timeOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

type Watched = NonNullable<Seen['watchdog']['status']>['panes'][number];

function paneRow(seen: Seen, watched: Watched): Row {
  const { socket, pane, tokens, threshold, handoff, lacks, paused } = watched;
  const key = paneRowKey(socket, pane);
  return {
    key,
    who: pane,
    execution: null,
    workspace: null,
    name: watched.agent ?? pane,
    task: 'a pane of your own tmux',
    // Full and not handed off: somebody has to.
    rank: paused === null || handoff !== null ? 'runs' : 'needs',
    look: handoff !== null ? looks.handoff : paused === null ? looks.watched : looks.full,
    attempt: 0,
    startedAt: null,
    endedAt: null,
    context: { tokens, threshold, window: null },
    history: seen.histories.get(key) ?? [],
    handoff: handoff?.state ?? null,
    costUsd: null,
    unknownCosts: 1,
    last: paused ?? (lacks.length === 0 ? '' : `not provable here: ${lacks.join('; ')}`),
    question: null,
    heldBy: null,
    socket,
    pane,
    dependencies: [],
    isPaused: false,
    isClaude: true,
  };
}
