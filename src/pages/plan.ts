// What a request would do, before or while it does it: waves, who waits for whom, where inputs come from, which
// outputs meet in the merge. Works on a request with problems, too, as far as it can be read. Pure.

import path from 'node:path';
import { graphRows } from '../plan/graph-rows.ts';
import { wavesOf } from '../plan/waves.ts';
import type { AgentRequest, ExecutionRequest, Problem } from '../protocol/request.ts';
import type { LiveAgentStatus } from '../protocol/status.ts';

export type PlanInput = { name: string; path: string; from: { agent: string; output: string } | null };
export type PlanAgent = {
  name: string;
  wave: number; // 0: never
  picture: string;
  status: LiveAgentStatus | null;
  needs: string[];
  timeout_seconds: number;
  inputs: PlanInput[];
  outputs: { name: string; path: string }[];
};
export type Plan = {
  is_partial: boolean; // its form is wrong: limits and merge below are stand-ins
  execution_id: string;
  workspace_root: string;
  agents: PlanAgent[];
  waves: string[][];
  never: string[];
  parallel_limit: number;
  most_at_once: number; // by the graph alone, under the limit
  attempts: number;
  longest_chain: { agents: string[]; seconds: number };
  merge: { type: string; conflict_resolution: string; meetings: { name: string; agents: string[] }[] };
  total_timeout: number | null;
  problems: Problem[];
};

export type PlanFacts = {
  problems: readonly Problem[];
  statuses: ReadonlyMap<string, LiveAgentStatus>;
  isPartial?: boolean;
};

export function buildPlan(request: ExecutionRequest, { problems, statuses, isPartial = false }: PlanFacts): Plan {
  const deps = new Map(request.agents.map(agent => [agent.agent_name, agent.dependencies]));
  const { waves, never } = wavesOf(deps);
  const known = new Map(request.agents.map(agent => [agent.agent_name, agent]));
  const options = request.execution_options;
  return {
    is_partial: isPartial,
    execution_id: request.execution_id,
    workspace_root: request.workspace_root,
    agents: graphRows(deps).map(({ name, picture, wave }) => {
      const { dependencies, timeout, task } = known.get(name)!;
      return {
        name,
        wave,
        picture,
        status: statuses.get(name) ?? null,
        needs: dependencies,
        timeout_seconds: timeout,
        inputs: Object.entries(task.inputs).map(([slot, place]) => ({
          name: slot,
          path: place,
          from: makerOf(place, name, request.agents, request.workspace_root),
        })),
        outputs: Object.entries(task.outputs).map(([slot, place]) => ({ name: slot, path: place })),
      };
    }),
    waves,
    never,
    parallel_limit: options.parallel_limit,
    most_at_once: Math.min(options.parallel_limit, Math.max(0, ...waves.map(wave => wave.length))),
    attempts: options.retry_on_failure ? options.max_retries + 1 : 1,
    longest_chain: longestOf(waves.flat(), known),
    merge: {
      type: request.merge_strategy.type,
      conflict_resolution: request.merge_strategy.conflict_resolution,
      meetings: meetingsOf(request.agents),
    },
    total_timeout: options.total_timeout ?? null,
    problems: [...problems],
  };
}

// By text, as the request is written: links are looked at by the check, not here.
function makerOf(place: string, reader: string, agents: readonly AgentRequest[], root: string): PlanInput['from'] {
  const whole = path.resolve('/', root, place);
  for (const agent of agents) {
    if (agent.agent_name === reader) continue;
    for (const [output, made] of Object.entries(agent.task.outputs)) {
      const other = path.resolve('/', root, made);
      if (`${whole}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${whole}/`))
        return { agent: agent.agent_name, output };
    }
  }
  return null;
}

// The chain whose time limits add up to the most, one attempt each.
function longestOf(order: readonly string[], known: ReadonlyMap<string, AgentRequest>): Plan['longest_chain'] {
  const best = new Map<string, Plan['longest_chain']>();
  let longest: Plan['longest_chain'] = { agents: [], seconds: 0 };
  for (const name of order) {
    const { dependencies, timeout } = known.get(name)!;
    const before = dependencies
      .flatMap(need => best.get(need) ?? [])
      .reduce((a, b) => (b.seconds > a.seconds ? b : a), { agents: [] as string[], seconds: 0 });
    const chain = { agents: [...before.agents, name], seconds: before.seconds + timeout };
    best.set(name, chain);
    if (chain.seconds > longest.seconds) longest = chain;
  }
  return longest;
}

// Outputs of one name come together in merged/: there they may disagree.
function meetingsOf(agents: readonly AgentRequest[]): { name: string; agents: string[] }[] {
  const makers = new Map<string, Set<string>>();
  for (const agent of agents)
    for (const place of Object.values(agent.task.outputs)) {
      const name = path.basename(place);
      makers.set(name, (makers.get(name) ?? new Set()).add(agent.agent_name));
    }
  return [...makers].filter(([, names]) => names.size > 1).map(([name, names]) => ({ name, agents: [...names] }));
}
