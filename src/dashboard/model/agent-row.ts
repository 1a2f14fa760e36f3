// One row of the overview: an agent of an execution, or a pane a person gave to the watchdog. Pure.

import type { AgentLine, Question } from '../../protocol/status.ts';
import type { Colour } from '../../text/paint.ts';
import { agentKey, type Point, paneRowKey, type Seen, type SeenExecution } from './seen.ts';

// Who needs a person stands first, then who runs, who waits, who ended.
export const ranks = ['needs', 'runs', 'waits', 'ended'] as const;
export type Rank = (typeof ranks)[number];
export type Look = { sign: string; colour: Colour; word: string };
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

const looks = {
  asks: { sign: '?', colour: 'yellow', word: 'asks' },
  stuck: { sign: '!', colour: 'red', word: 'stuck' },
  parked: { sign: '‖', colour: 'yellow', word: 'parked' },
  conflict: { sign: '≠', colour: 'magenta', word: 'conflict' },
  lost: { sign: '!', colour: 'red', word: 'no engine' },
  held: { sign: '■', colour: 'magenta', word: 'held' },
  handoff: { sign: '⇄', colour: 'blue', word: 'handoff' },
  running: { sign: '▶', colour: 'cyan', word: 'running' },
  idle: { sign: '▷', colour: 'cyan', word: 'idle' },
  retrying: { sign: '↻', colour: 'yellow', word: 'retrying' },
  checking: { sign: '▶', colour: 'cyan', word: 'checking' },
  stopping: { sign: '▶', colour: 'yellow', word: 'stopping' },
  waiting: { sign: '·', colour: 'dim', word: 'waiting' },
  done: { sign: '✔', colour: 'green', word: 'done' },
  failed: { sign: '✖', colour: 'red', word: 'failed' },
  timeout: { sign: '✖', colour: 'red', word: 'timeout' },
  skipped: { sign: '-', colour: 'dim', word: 'skipped' },
  watched: { sign: '◆', colour: 'cyan', word: 'watched' },
} as const satisfies Record<string, Look>;

type State = { rank: Rank; look: Look };
// Screens that only a person can leave.
const STUCK = new Set(['login', 'api_key', 'onboarding', 'bypass', 'mcp', 'trust']);

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
    ...stateOf(execution, agent, handoff),
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

// Why it failed, waits or asks says more than the last thing it printed.
function lastWords({ note, last_line, claude, status, dependencies }: AgentLine): string {
  if (claude?.question) return claude.question.title.split('\n').findLast(line => line.trim() !== '') ?? '';
  if (claude?.parked) return claude.parked.reason;
  const waits = status === 'pending' && dependencies.length > 0 ? `after ${dependencies.join(', ')}` : '';
  return note ?? last_line ?? waits;
}

function stateOf({ status, hasEngine, conflicts }: SeenExecution, agent: AgentLine, handoff: string | null): State {
  const { claude, note } = agent;
  const isOver = status.status !== 'running';
  switch (agent.status) {
    case 'success':
      return conflicts.some(({ agents }) => agents.includes(agent.agent_name))
        ? { rank: 'needs', look: looks.conflict }
        : { rank: 'ended', look: looks.done };
    case 'failure':
      return { rank: 'ended', look: looks.failed };
    case 'timeout':
      return { rank: 'ended', look: looks.timeout };
    case 'skipped':
      return { rank: 'ended', look: looks.skipped };
    default:
  }
  if (!hasEngine && !isOver) return { rank: 'needs', look: looks.lost };
  if (agent.status === 'pending') return { rank: 'waits', look: looks.waiting };
  if (claude?.question) return { rank: 'needs', look: looks.asks };
  if (agent.status === 'parked') return { rank: 'needs', look: looks.parked };
  if (claude && STUCK.has(claude.state)) return { rank: 'needs', look: looks.stuck };
  if (handoff !== null) return { rank: 'runs', look: looks.handoff };
  if (claude?.held_by) return { rank: 'runs', look: looks.held };
  if (note?.startsWith('its outputs')) return { rank: 'runs', look: looks.checking };
  if (note?.startsWith('it is being stopped')) return { rank: 'runs', look: looks.stopping };
  if (claude?.state === 'retrying') return { rank: 'runs', look: looks.retrying };
  return { rank: 'runs', look: claude?.state === 'idle' ? looks.idle : looks.running };
}

type Watched = NonNullable<Seen['watchdog']['status']>['panes'][number];

function paneRow(seen: Seen, watched: Watched): Row {
  const { socket, pane, tokens, threshold, handoff, lacks } = watched;
  const key = paneRowKey(socket, pane);
  return {
    key,
    who: pane,
    execution: null,
    workspace: null,
    name: watched.agent ?? pane,
    task: 'a pane of your own tmux',
    rank: 'runs',
    look: handoff === null ? looks.watched : looks.handoff,
    attempt: 0,
    startedAt: null,
    endedAt: null,
    context: { tokens, threshold, window: null },
    history: seen.histories.get(key) ?? [],
    handoff: handoff?.state ?? null,
    costUsd: null,
    unknownCosts: 1,
    last: lacks.length === 0 ? '' : `not provable here: ${lacks.join('; ')}`,
    question: null,
    heldBy: null,
    socket,
    pane,
    dependencies: [],
    isPaused: false,
    isClaude: true,
  };
}
