// Who could have seen whose work. Pure.

export type DependencyOrder = {
  rank: (agent: string) => number; // later agents have larger ranks; ties stand in request order
  dependsOn: (agent: string, other: string) => boolean; // directly or through others
};

export function buildDependencyOrder(agents: { name: string; dependencies: string[] }[]): DependencyOrder {
  const direct = new Map(agents.map(agent => [agent.name, agent.dependencies]));
  const ranks = new Map<string, number>();
  let waiting = agents.map(agent => agent.name);
  while (waiting.length > 0) {
    const isFree = (name: string) => direct.get(name)!.every(need => !direct.has(need) || ranks.has(need));
    // A cycle cannot pass the request check; taking the first keeps this total all the same.
    const next = waiting.find(isFree) ?? waiting[0]!;
    ranks.set(next, ranks.size);
    waiting = waiting.filter(name => name !== next);
  }
  const closures = new Map<string, Set<string>>();
  const closureOf = (agent: string) => {
    const known = closures.get(agent);
    if (known) return known;
    const closure = reach(agent, direct);
    closures.set(agent, closure);
    return closure;
  };
  return {
    rank: agent => ranks.get(agent) ?? -1,
    dependsOn: (agent, other) => agent !== other && closureOf(agent).has(other),
  };
}

function reach(start: string, direct: Map<string, string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [...(direct.get(start) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(direct.get(name) ?? []));
  }
  return seen;
}
