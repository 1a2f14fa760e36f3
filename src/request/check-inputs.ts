// Inputs: each must be there and readable now, or be promised by an agent that runs before.

import { closure } from '../plan/graph.ts';
import type { ExecutionRequest, Problem } from '../protocol/request.ts';
import { type Place, PlaceTree } from './place-tree.ts';
import { quote, toPath } from './quote.ts';

type Wording = { message: string; cure: string };

type RunsBefore = (earlier: string, later: string) => boolean;

export function checkInputs(request: ExecutionRequest, inputs: readonly Place[], outputs: readonly Place[]): Problem[] {
  const tree = new PlaceTree();
  for (const output of outputs) tree.add(output);
  const runsBefore = orderOf(request);
  return inputs.flatMap(input => {
    const promises = tree.around(input.fact.real);
    const wrong =
      promises.length > 0 ? promiseProblem(input, promises, runsBefore) : presenceProblem(input, tree, runsBefore);
    return wrong === null ? [] : [{ path: toPath(['agents', input.agent, 'task', 'inputs', input.slot]), ...wrong }];
  });
}

// Most inputs come from a direct dependency; the whole closure is found only for those that do not.
function orderOf(request: ExecutionRequest): RunsBefore {
  const direct = new Map(request.agents.map(agent => [agent.agent_name, new Set(agent.dependencies)]));
  const deps = new Map([...direct].map(([name, needs]) => [name, [...needs]]));
  const known = new Map<string, Set<string>>();
  return (earlier, later) => {
    if (direct.get(later)?.has(earlier)) return true;
    const all = known.get(later) ?? closure(deps, later);
    known.set(later, all);
    return all.has(earlier);
  };
}

// Also when the file exists already: it would be an old one, or change while it is read.
function promiseProblem(input: Place, promises: Place[], runsBefore: RunsBefore): Wording | null {
  const mine = promises.find(promise => promise.agent === input.agent);
  const shown = `the input ${quote(input.slot)} (${quote(input.path)})`;
  if (mine !== undefined) {
    return {
      message: `${shown} is what the same agent writes as output ${quote(mine.slot)}; old outputs are moved away before it starts`,
      cure: 'write the output to another path',
    };
  }
  if (promises.some(promise => runsBefore(promise.name, input.name))) return null;
  const { name, slot } = promises[0]!;
  const promised = `${shown} is promised by ${quote(name)} as its output ${quote(slot)}`;
  if (runsBefore(input.name, name)) {
    return {
      message: `${promised}, but ${quote(name)} runs only after ${quote(input.name)}`,
      cure: `turn the dependency round, or let ${quote(input.name)} read another path`,
    };
  }
  return {
    message: `${promised}, but ${quote(input.name)} does not depend on it`,
    cure: `add ${quote(name)} to the dependencies of ${quote(input.name)}`,
  };
}

function presenceProblem(input: Place, tree: PlaceTree, runsBefore: RunsBefore): Wording | null {
  const { kind, readable, trouble, real } = input.fact;
  const shown = `the input ${quote(input.slot)} (${quote(input.path)})`;
  if (trouble !== undefined) return { message: `${shown} ${trouble}`, cure: 'name a path you can reach' };
  if (kind === 'other') return { message: `${shown} is neither a file nor a folder`, cure: 'name a file or a folder' };
  if (kind !== null) {
    return readable ? null : { message: `${shown} may not be read`, cure: 'give yourself the right to read it' };
  }
  // A folder around an earlier agent's output is there as soon as that output is.
  const within = tree.inside(real).filter(output => output.agent !== input.agent);
  if (within.some(output => runsBefore(output.name, input.name))) return null;
  const promise = within.find(output => !runsBefore(input.name, output.name));
  if (promise !== undefined) {
    return {
      message: `${shown} does not exist yet; ${quote(promise.name)} promises ${quote(promise.path)} in it, but ${quote(input.name)} does not depend on it`,
      cure: `add ${quote(promise.name)} to the dependencies of ${quote(input.name)}`,
    };
  }
  return {
    message: `${shown} does not exist, and no agent promises it as an output`,
    cure: 'create it or correct the path; a relative one starts at workspace_root',
  };
}
