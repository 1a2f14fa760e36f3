// One execution as a page shows it, running or over, whatever is left of it: the report where there is one, else
// the fold of its events. What is not known is null here and said as unknown. Pure.

import type { HandoffRecord } from '../protocol/handoff.ts';
import type {
  AgentReport,
  ClaudeReport,
  Evidence,
  ExecutionReport,
  Measured,
  MergeResult,
} from '../protocol/report.ts';
import type { Criterion, ExecutionRequest } from '../protocol/request.ts';
import type { AgentLine, LiveAgentStatus, Status } from '../protocol/status.ts';
import type { AgentRun, RunState } from '../run/run-state.ts';

export type ContextPoint = { at: number; tokens: number };
export type ContextCurve = { agent: string; session: string; points: ContextPoint[] };

export type PageAttempt = {
  attempt: number;
  status: 'running' | 'success' | 'failure' | 'timeout';
  reason: string | null;
  from: number;
  to: number | null; // null: it runs
  exitCode: number | null;
};
export type PageCriterion = { name: string; wanted: Criterion | null; met: Measured; evidence: Evidence };
export type PageAgent = {
  name: string;
  status: LiveAgentStatus;
  reason: string | null;
  needs: string[];
  task: string | null;
  attempts: PageAttempt[];
  outputs: [slot: string, path: string][];
  criteria: PageCriterion[];
  summary: string | null;
  files: string[];
  commits: string[];
  isClaude: boolean | null; // null: nothing tells
  costUsd: number | null;
  contextTokens: number | null;
  sessions: number;
  nudges: number;
  restarts: number;
  handoffs: HandoffRecord[];
  curves: ContextCurve[];
  threshold: number | null; // where its handoff fires
};
export type Page = {
  id: string;
  status: Status['status'];
  startedAt: number;
  endedAt: number | null;
  now: number;
  agents: PageAgent[];
  merge: MergeResult | null;
  errors: { agent: string | null; message: string }[];
  warnings: { agent: string | null; message: string; severity: string }[];
  note: string | null;
  unknowns: string[];
};

export type PageSource = {
  report: ExecutionReport | null;
  state: RunState | null;
  status: Status | null;
  request: ExecutionRequest | null;
  curves: readonly ContextCurve[];
  thresholds: ReadonlyMap<string, number>;
  handoffs: readonly HandoffRecord[];
  workspace: string;
  now: number;
};

export function buildPage(source: PageSource): Page {
  const { report, state, status } = source;
  const isOver = report !== null && (state === null || state.ended !== null);
  const agents = isOver
    ? report.agents.map(agent => fromReport(agent, source))
    : [...(state?.agents.values() ?? [])].map(run => fromRun(run, source));
  const head = { id: '', status: 'running' as Page['status'], startedAt: source.now, endedAt: null as number | null };
  if (isOver) {
    head.id = report.execution_id;
    head.status = report.status;
    head.startedAt = Date.parse(report.start_timestamp);
    head.endedAt = Date.parse(report.end_timestamp);
  } else if (state !== null) {
    head.id = state.request.execution_id;
    head.startedAt = state.startedAt;
    head.status = state.ended?.status ?? 'running';
    head.endedAt = state.ended?.at ?? null;
  }
  const page = {
    ...head,
    now: source.now,
    agents,
    merge: nearMerge(isOver ? report.merge_result : (state?.merge ?? null), source.workspace),
    errors: isOver ? report.errors : (state?.errors ?? []),
    warnings: isOver ? report.warnings : (state?.warnings ?? []),
    note: isOver ? null : (status?.note ?? state?.heldBack?.reason ?? null),
  };
  return { ...page, unknowns: unknownsOf(page.agents, source, isOver) };
}

function fromReport(agent: AgentReport, source: PageSource): PageAgent {
  const attempts = agent.attempts.map(each => ({
    attempt: each.attempt,
    status: each.status,
    reason: nearWords(each.reason, source.workspace),
    from: Date.parse(each.start_time),
    to: Date.parse(each.end_time),
    exitCode: each.exit_code,
  }));
  const earlier = source.state?.agents.get(agent.agent_name)?.attempts.map(each => each.outcome.claude);
  const asked = askedOf(agent.agent_name, source.request);
  return {
    name: agent.agent_name,
    status: agent.status,
    reason: nearWords(agent.reason, source.workspace),
    attempts,
    outputs: nearOutputs(agent.outputs_produced, source.workspace),
    criteria: Object.entries(agent.success_criteria_met).map(([name, met]) => ({
      name,
      wanted: asked.criteria[name] ?? null,
      met,
      evidence: agent.success_criteria_evidence[name] ?? 'none',
    })),
    summary: agent.summary,
    files: agent.files_modified,
    commits: agent.commits_made.map(shortCommit),
    needs: asked.needs,
    task: asked.task,
    ...claudeFacts(earlier ?? [agent.claude], null),
    isClaude: agent.status === 'skipped' ? null : agent.claude !== null,
    ...beside(agent.agent_name, source),
  };
}

function fromRun(run: AgentRun, source: PageSource): PageAgent {
  const name = run.request.agent_name;
  const line = source.status?.agents.find(each => each.agent_name === name) ?? null;
  const now = 'now' in run.state ? run.state.now : null;
  const outcome = run.attempts.at(-1)?.outcome;
  const attempts: PageAttempt[] = run.attempts.map(each => ({
    attempt: each.attempt,
    status: each.outcome.status,
    reason: nearWords(each.outcome.reason, source.workspace),
    from: each.startedAt,
    to: each.endedAt,
    exitCode: each.outcome.exit_code,
  }));
  if (now !== null)
    attempts.push({
      attempt: now.attempt,
      status: 'running',
      reason: null,
      from: now.startedAt,
      to: null,
      exitCode: null,
    });
  const isOver = run.state.at === 'ended';
  const asked = askedOf(name, source.request);
  return {
    name,
    status:
      isOver && run.state.at === 'ended'
        ? run.state.status
        : now?.talk.isParked
          ? 'parked'
          : now
            ? 'running'
            : 'pending',
    reason: run.state.at === 'ended' ? run.state.reason : (line?.note ?? null),
    attempts,
    outputs: nearOutputs(outcome?.outputs_produced ?? {}, source.workspace),
    criteria: Object.entries(asked.criteria).map(([key, wanted]) => ({
      name: key,
      wanted,
      met: outcome?.success_criteria_met[key] ?? null,
      evidence: outcome?.success_criteria_evidence[key] ?? 'none',
    })),
    summary: outcome?.summary ?? null,
    files: outcome?.files_modified ?? [],
    commits: (outcome?.commits_made ?? []).map(shortCommit),
    needs: run.request.dependencies,
    task: run.request.task.description,
    ...claudeFacts(
      run.attempts.map(each => each.outcome.claude),
      line?.claude ?? null,
    ),
    isClaude: line?.claude != null || outcome?.claude != null ? true : outcome === undefined ? null : false,
    ...beside(name, source),
  };
}

// What all attempts cost together; one that nobody measured makes the sum unknown.
function claudeFacts(ended: readonly (ClaudeReport | null)[], live: AgentLine['claude']) {
  const all = ended.filter(each => each !== null);
  const costs = [...all.map(each => each.cost_usd), ...(live === null ? [] : [live.cost_usd])];
  const known = costs.filter(cost => cost !== null);
  return {
    costUsd: costs.length > 0 && known.length === costs.length ? known.reduce((sum, cost) => sum + cost, 0) : null,
    contextTokens: live === null ? (all.at(-1)?.context_tokens ?? null) : (live.context?.tokens ?? null),
    sessions: all.reduce((sum, each) => sum + each.session_ids.length, live === null ? 0 : 1),
    nudges: all.reduce((sum, each) => sum + each.nudges, live?.nudges ?? 0),
    restarts: all.reduce((sum, each) => sum + each.restarts, live?.restarts ?? 0),
  };
}

function beside(name: string, { curves, handoffs, thresholds }: PageSource) {
  const own = curves.filter(each => each.agent === name && each.points.length > 0);
  const sessions = new Set(own.map(each => each.session));
  return {
    curves: own,
    threshold: thresholds.get(name) ?? null,
    handoffs: handoffs.filter(each => sessions.has(each.session_before)),
  };
}

// Paths in the workspace are told from there: nobody reads forty equal beginnings.
const near = (place: string, workspace: string): string =>
  place.startsWith(`${workspace}/`) ? place.slice(workspace.length + 1) : place;

const nearWords = (words: string | null, workspace: string): string | null =>
  words?.replaceAll(`${workspace}/`, '') ?? null;

const shortCommit = (hash: string): string => hash.slice(0, 12);

const nearOutputs = (outputs: Record<string, string>, workspace: string): PageAgent['outputs'] =>
  Object.entries(outputs).map(([slot, place]) => [slot, near(place, workspace)]);

const nearMerge = (merge: MergeResult | null, workspace: string): MergeResult | null =>
  merge === null
    ? null
    : {
        ...merge,
        resolutions: merge.resolutions.map(each => ({
          ...each,
          discarded: each.discarded.map(other => ({ ...other, kept_at: near(other.kept_at, workspace) })),
        })),
      };

function askedOf(name: string, request: ExecutionRequest | null) {
  const asked = request?.agents.find(each => each.agent_name === name);
  return {
    needs: asked?.dependencies ?? [],
    task: asked?.task.description ?? null,
    criteria: asked?.task.success_criteria ?? {},
  };
}

function unknownsOf(agents: readonly PageAgent[], { request, state }: PageSource, isOver: boolean): string[] {
  const unknown: string[] = [];
  const tell = (names: string[], what: string) => {
    if (names.length > 0) unknown.push(`${what}: ${names.join(', ')}`);
  };
  if (!isOver) unknown.push('This execution is not over: everything here is how it stands now.');
  if (request === null) unknown.push('The request is gone: tasks and dependencies are not known.');
  if (isOver && state === null)
    unknown.push('Its events are gone (`baton clean`): only the last attempt tells its cost.');
  const claude = agents.filter(agent => agent.isClaude === true);
  tell(
    claude.filter(agent => agent.costUsd === null).map(agent => agent.name),
    'The cost is unknown of',
  );
  tell(
    claude.filter(agent => agent.curves.length === 0).map(agent => agent.name),
    'No context curve is known of',
  );
  const others = agents.filter(agent => agent.isClaude === false).map(agent => agent.name);
  tell(others, 'Programs of their own, whose cost Baton does not know');
  const reported = agents.flatMap(agent =>
    agent.criteria.filter(each => each.evidence === 'reported').map(each => `${agent.name} (${each.name})`),
  );
  tell(reported, 'Only the agent itself says so, nobody checked');
  return unknown;
}
