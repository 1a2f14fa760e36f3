// What executions cost: by agent, execution, day and chain of sessions. Unknown is not zero: every sum says how many
// of its parts nobody measured. Pure.

import type { Status } from '../protocol/status.ts';
import type { RunState } from '../run/run-state.ts';

// One attempt of one Claude Code agent; over all its sessions, as the engine added them up.
export type CostItem = {
  execution: string;
  agent: string;
  attempt: number;
  at: number; // its end, or now
  costUsd: number | null;
  isRunning: boolean;
  isEstimated: boolean;
  sessions: string[];
  continuations: number;
};
export type CostRow = { name: string; cost_usd: number | null; unknown: number; at_least: boolean; attempts: number };
export type ChainRow = CostRow & { sessions: number; continuations: number; estimated: boolean };
export type Costs = {
  total: CostRow;
  executions: CostRow[];
  agents: CostRow[];
  days: CostRow[];
  chains: ChainRow[];
  other_programs: number; // attempts of agents that are not Claude Code; what they cost nobody knows
};

export function costItems(state: RunState, status: Status | null, now: number): { items: CostItem[]; others: number } {
  const items: CostItem[] = [];
  let others = 0;
  const execution = state.request.execution_id;
  for (const [agent, run] of state.agents) {
    for (const { attempt, endedAt, outcome } of run.attempts) {
      const { claude } = outcome;
      if (claude === null) others += 1;
      else
        items.push({
          execution,
          agent,
          attempt,
          at: endedAt,
          costUsd: claude.cost_usd,
          isRunning: false,
          isEstimated: claude.chain?.cost_source === 'estimated',
          sessions: claude.session_ids,
          continuations: claude.continuations,
        });
    }
    const line = status?.agents.find(each => each.agent_name === agent)?.claude;
    if (!('now' in run.state) || line == null) continue;
    const { attempt, talk } = run.state.now;
    items.push({
      execution,
      agent,
      attempt,
      at: now,
      costUsd: line.cost_usd,
      isRunning: true,
      isEstimated: false,
      sessions: talk.sessionIds,
      continuations: 0,
    });
  }
  return { items, others };
}

export function sumCosts(items: readonly CostItem[], others: number): Costs {
  const by = (key: (item: CostItem) => string) =>
    [...Map.groupBy(items, key)].map(([name, group]) => ({ row: rowOf(name, group), group }));
  const rows = (key: (item: CostItem) => string) =>
    by(key)
      .map(({ row }) => row)
      .toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0));
  return {
    total: rowOf('total', items),
    executions: rows(item => item.execution),
    agents: rows(item => item.agent),
    days: rows(item => dayOf(item.at)).toSorted((a, b) => b.name.localeCompare(a.name)),
    // A chain is all that one agent of one execution needed: its attempts, and the sessions of each.
    chains: by(item => `${item.execution}/${item.agent}`)
      .map(({ row, group }) => ({
        ...row,
        sessions: new Set(group.flatMap(item => item.sessions)).size,
        continuations: group.reduce((sum, item) => sum + item.continuations, 0),
        estimated: group.some(item => item.isEstimated),
      }))
      .filter(row => row.sessions > 1 || row.continuations > 0 || row.attempts > 1)
      .toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0)),
    other_programs: others,
  };
}

function rowOf(name: string, items: readonly CostItem[]): CostRow {
  const known = items.filter(item => item.costUsd !== null);
  return {
    name,
    cost_usd: known.length === 0 ? null : known.reduce((sum, item) => sum + item.costUsd!, 0),
    unknown: items.length - known.length,
    at_least: items.some(item => item.isRunning),
    attempts: items.length,
  };
}

// The day on the calendar of the place.
function dayOf(at: number): string {
  const day = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
