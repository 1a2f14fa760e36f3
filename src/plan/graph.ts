// Who needs whom, as plain maps of names: cycles, and everything before or after one agent.
// Names that are not a key of the map are taken as agents without dependencies.

export type Dependencies = Map<string, string[]>;

// [a, b, c] means: a needs b, b needs c, c needs a. The first one found in the order of the map.
export function findCycle(deps: Dependencies): string[] | null {
  const done = new Set<string>();
  for (const name of deps.keys()) {
    const cycle = walk(deps, name, done);
    if (cycle !== null) return cycle;
  }
  return null;
}

// Depth first with a stack of our own, so that a long chain cannot exhaust that of the language.
function walk(deps: Dependencies, start: string, done: Set<string>): string[] | null {
  const trail: { name: string; next: number }[] = [{ name: start, next: 0 }];
  const onTrail = new Set([start]);
  while (trail.length > 0) {
    const here = trail.at(-1)!;
    const need = (deps.get(here.name) ?? [])[here.next];
    here.next += 1;
    if (need === undefined) {
      done.add(here.name);
      onTrail.delete(here.name);
      trail.pop();
    } else if (onTrail.has(need)) {
      return trail.slice(trail.findIndex(step => step.name === need)).map(step => step.name);
    } else if (!done.has(need)) {
      trail.push({ name: need, next: 0 });
      onTrail.add(need);
    }
  }
  return null;
}

// Everything that must have succeeded before `name` starts.
export function closure(deps: Dependencies, name: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(deps.get(name) ?? [])];
  while (waiting.length > 0) {
    const need = waiting.pop()!;
    if (reached.has(need)) continue;
    reached.add(need);
    for (const next of deps.get(need) ?? []) waiting.push(next);
  }
  return reached;
}

// Everything that cannot start when `name` fails, in the order of the map.
export function dependents(deps: Dependencies, name: string): string[] {
  const reached = new Set([name]);
  const neededBy = new Map<string, string[]>();
  for (const [agent, needs] of deps) {
    for (const need of needs) {
      const list = neededBy.get(need);
      if (list === undefined) neededBy.set(need, [agent]);
      else list.push(agent);
    }
  }
  const waiting = [name];
  while (waiting.length > 0) {
    for (const agent of neededBy.get(waiting.pop()!) ?? []) {
      if (reached.has(agent)) continue;
      reached.add(agent);
      waiting.push(agent);
    }
  }
  return [...deps.keys()].filter(agent => agent !== name && reached.has(agent));
}
