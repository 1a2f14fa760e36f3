// What is known of each Claude Code agent of an execution: how full its session is, or was, and what all its attempts
// cost, counted as `baton cost` counts. Pure.

import { type CostItem, costItems, sumCosts } from '../../pages/costs.ts';
import type { ContextReading, Status } from '../../protocol/status.ts';
import type { RunState } from '../../run/run-state.ts';
import type { ClaudeFigures } from './seen.ts';

type Known = ReadonlyMap<string, ClaudeFigures>;

export function claudeFigures(state: RunState | null, status: Status, before: Known): Known {
  const items = state === null ? [] : costItems(state, status, Date.parse(status.updated_at)).items;
  const figures = new Map(before);
  for (const { agent_name: name, claude } of status.agents) {
    const own = items.filter(({ agent }) => agent === name);
    if (claude === null && own.length === 0) continue;
    const cost = own.length === 0 ? { cost_usd: claude?.cost_usd ?? null, unknown: 0 } : sumCosts(own, 0).total;
    const context = claude?.context ?? pastContext(state, name, own, before.get(name));
    const attempts = state?.agents.get(name)?.attempts ?? [];
    figures.set(name, {
      context,
      costUsd: cost.cost_usd,
      unknownCosts: cost.unknown,
      sessions: attempts.flatMap(({ outcome }) => outcome.claude?.session_ids ?? []),
    });
  }
  return figures;
}

// A session that ended has no line any more: what its attempt ended with, in the window it was seen in.
function pastContext(
  state: RunState | null,
  name: string,
  own: readonly CostItem[],
  before: ClaudeFigures | undefined,
): ContextReading | null {
  const last = state?.agents.get(name)?.attempts.findLast(({ outcome }) => outcome.claude !== null);
  const tokens = last?.outcome.claude?.context_tokens ?? null;
  if (last === undefined || tokens === null || own.some(({ isRunning }) => isRunning)) return before?.context ?? null;
  const window = before?.context?.window ?? null;
  return { tokens, window, source: 'record', session_id: null, at: new Date(last.endedAt).toISOString() };
}
