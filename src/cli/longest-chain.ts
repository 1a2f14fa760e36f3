// How many agents must run one after another at least. Expects dependencies without a cycle.

import type { AgentRequest } from '../protocol/request.ts';

export function longestChain(agents: readonly Pick<AgentRequest, 'agent_name' | 'dependencies'>[]): number {
  const needs = new Map(agents.map(agent => [agent.agent_name, agent.dependencies]));
  const lengths = new Map<string, number>();
  const lengthOf = (name: string): number => {
    const known = lengths.get(name);
    if (known !== undefined) return known;
    const length = 1 + Math.max(0, ...(needs.get(name) ?? []).map(lengthOf));
    lengths.set(name, length);
    return length;
  };
  return Math.max(0, ...agents.map(agent => lengthOf(agent.agent_name)));
}
