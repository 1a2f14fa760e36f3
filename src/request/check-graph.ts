// What the agents of one request say about each other: names, dependencies, cycles; and the variables
// their inputs and outputs become. Needs no disk.

import { findCycle } from '../plan/graph.ts';
import type { AgentRequest, ExecutionRequest, Problem } from '../protocol/request.ts';
import { nearest } from './nearest.ts';
import { listOf, quote, toPath } from './quote.ts';

// Bounds the work on a hostile request; what lies beyond is found when these are cured.
const MAX_CYCLES = 20;
const MAX_GUESSES = 100;
const SHOWN_NAMES = 12;

export function checkGraph(request: ExecutionRequest): Problem[] {
  return [
    ...nameProblems(request.agents),
    ...dependencyProblems(request.agents),
    ...cycleProblems(request.agents),
    ...request.agents.flatMap((agent, index) => [
      ...variableProblems('INPUT', Object.keys(agent.task.inputs), ['agents', index, 'task', 'inputs']),
      ...variableProblems('OUTPUT', Object.keys(agent.task.outputs), ['agents', index, 'task', 'outputs']),
    ]),
  ];
}

// BATON_INPUT_API_SPEC for the input "api-spec".
export function variableName(prefix: 'INPUT' | 'OUTPUT', slot: string): string {
  return `BATON_${prefix}_${slot.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

// Sessions and folders are made of the names, and some file systems do not tell "Build" from "build".
function nameProblems(agents: readonly AgentRequest[]): Problem[] {
  const first = new Map<string, { name: string; index: number }>();
  return agents.flatMap(({ agent_name: name }, index) => {
    const earlier = first.get(name.toLowerCase());
    if (earlier === undefined) {
      first.set(name.toLowerCase(), { name, index });
      return [];
    }
    const message =
      earlier.name === name
        ? `two agents are called ${quote(name)}: agents[${earlier.index}] and this one`
        : `${quote(name)} and ${quote(earlier.name)} (agents[${earlier.index}]) differ only in capital letters`;
    return [{ path: toPath(['agents', index, 'agent_name']), message, cure: `choose another name, e.g. "${name}-2"` }];
  });
}

function dependencyProblems(agents: readonly AgentRequest[]): Problem[] {
  const names = [...new Set(agents.map(agent => agent.agent_name))];
  const known = new Set(names);
  let guesses = 0;
  return agents.flatMap(({ agent_name: self, dependencies }, index) => {
    const earlier = new Set<string>();
    return dependencies.flatMap((need, position) => {
      const path = toPath(['agents', index, 'dependencies', position]);
      if (need === self)
        return [{ path, message: `${quote(self)} depends on itself`, cure: 'remove it from its dependencies' }];
      if (earlier.has(need)) {
        return [
          {
            path,
            message: `${quote(need)} stands twice in the dependencies of ${quote(self)}`,
            cure: 'remove one of the two',
          },
        ];
      }
      earlier.add(need);
      if (known.has(need)) return [];
      guesses += 1;
      const others = guesses > MAX_GUESSES ? [] : names.filter(name => name !== self);
      const close = nearest(need, others);
      const hint = close === null ? '' : `; did you mean ${quote(close)}?`;
      const choice = close === null ? others.map(quote) : [quote(close)];
      const cure = choice.length === 0 ? 'remove it' : `write ${someOf(choice, 'or')}, or remove it`;
      return [{ path, message: `${quote(self)} depends on ${quote(need)}, but no agent is called so${hint}`, cure }];
    });
  });
}

// Each cycle is opened where it was found and the search goes on, so that one run names them all.
function cycleProblems(agents: readonly AgentRequest[]): Problem[] {
  const deps = new Map<string, string[]>();
  for (const { agent_name: name, dependencies } of agents) {
    if (!deps.has(name))
      deps.set(
        name,
        dependencies.filter(need => need !== name),
      );
  }
  const problems: Problem[] = [];
  for (let cycle = findCycle(deps); cycle !== null && problems.length < MAX_CYCLES; cycle = findCycle(deps)) {
    const [first, last] = [cycle[0]!, cycle.at(-1)!];
    const steps = cycle.map((name, index) => `${quote(name)} needs ${quote(cycle![index + 1] ?? first)}`);
    problems.push({
      path: toPath(['agents', agents.findIndex(agent => agent.agent_name === first), 'dependencies']),
      message: `agents wait for each other in a circle: ${someOf(steps, 'and')}`,
      cure: 'remove one of these dependencies',
    });
    deps.set(
      last,
      (deps.get(last) ?? []).filter(need => need !== first),
    );
  }
  return problems;
}

function variableProblems(prefix: 'INPUT' | 'OUTPUT', slots: string[], path: PropertyKey[]): Problem[] {
  const taken = new Map<string, string>();
  return slots.flatMap(slot => {
    const variable = variableName(prefix, slot);
    const earlier = taken.get(variable);
    if (earlier === undefined) {
      taken.set(variable, slot);
      return [];
    }
    const message = `${quote(earlier)} and ${quote(slot)} would both be given to the agent as ${variable}`;
    return [{ path: toPath([...path, slot]), message, cure: 'rename one of the two' }];
  });
}

function someOf(words: readonly string[], last: 'or' | 'and'): string {
  if (words.length <= SHOWN_NAMES) return listOf(words, last);
  return `${words.slice(0, SHOWN_NAMES).join(', ')} … (${words.length - SHOWN_NAMES} more)`;
}
