// Words, figures and the order of things that both forms of a page share. Pure.

import type { HandoffRecord } from '../protocol/handoff.ts';
import type { LiveAgentStatus } from '../protocol/status.ts';
import { spanText } from '../text/span-text.ts';
import type { Page, PageAgent, PageAttempt } from './page.ts';

export const statusWords: Record<LiveAgentStatus, string> = {
  pending: 'waiting',
  running: 'running',
  parked: 'parked',
  success: 'done',
  failure: 'failed',
  timeout: 'timeout',
  skipped: 'skipped',
};

export const usd = (cost: number | null): string => (cost === null ? 'unknown' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`);
export const tokens = (count: number | null): string =>
  count === null ? 'unknown' : count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;

export const handoffText = (each: HandoffRecord): string =>
  `handoff ${each.outcome === 'closed' ? 'done' : each.outcome.replaceAll('_', ' ')}: ${tokens(each.tokens_before)} to ${tokens(each.tokens_after)} tokens`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const costOf = (agent: PageAgent): string => (agent.isClaude === true ? usd(agent.costUsd) : '-');

export function spanOf({ from, to }: Pick<PageAttempt, 'from' | 'to'>, now: number): string {
  return spanText((to ?? now) - from);
}

// From the first beginning to the last end, retries and the waits between them included.
export function timeOf(agent: PageAgent, now: number): string {
  const [first, last] = [agent.attempts[0], agent.attempts.at(-1)];
  return first === undefined ? '-' : spanOf({ from: first.from, to: last!.to }, now);
}

export function headlineOf(page: Page): { status: string; took: string; counts: string; cost: string } {
  const counts = (Object.keys(statusWords) as LiveAgentStatus[])
    .map(status => [page.agents.filter(agent => agent.status === status).length, statusWords[status]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  return {
    status: page.status.replace('_', ' '),
    took: spanText((page.endedAt ?? page.now) - page.startedAt),
    counts: counts.join(', '),
    cost: totalCost(page.agents),
  };
}

function totalCost(agents: readonly PageAgent[]): string {
  const claude = agents.filter(agent => agent.isClaude === true);
  if (claude.length === 0) return 'none known';
  const known = claude.filter(agent => agent.costUsd !== null);
  const sum = known.reduce((total, agent) => total + agent.costUsd!, 0);
  const missing = claude.length - known.length;
  if (known.length === 0) return 'unknown';
  return missing === 0 ? usd(sum) : `${usd(sum)} and ${missing} unknown`;
}

export function nextSteps(page: Page): string[] {
  const id = page.id;
  if (page.endedAt === null) return [`baton status ${id}`];
  if (page.merge?.status === 'conflict')
    return [`baton conflicts ${id}`, `baton merge ${id} --take <conflict>=<agent>`];
  const failed = page.agents.filter(agent => agent.status === 'failure' || agent.status === 'timeout');
  return failed.slice(0, 3).map(agent => `baton retry ${id} ${agent.name}`);
}

export const measured = (value: unknown): string => (value === null ? 'unknown' : String(value));
export const dateText = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
