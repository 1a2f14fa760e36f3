// Circles in a directed graph, each as the names on it in order. Pure, and without recursion: packs may be long.

// One circle is enough to refuse a pack; a hostile one could hold more than there is memory for.
const MAX_CYCLES = 20;

export function findCycles(edges: { from: string; to: string }[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const known = next.get(from);
    if (known) known.add(to);
    else next.set(from, new Set([to]));
  }
  const done = new Set<string>();
  const cycles: string[][] = [];
  for (const start of next.keys()) if (!done.has(start)) walk(start, { next, done, cycles });
  return cycles;
}

type Walk = { next: Map<string, Set<string>>; done: Set<string>; cycles: string[][] };

// Depth first; an edge back onto the trail closes a circle. Every circle of the graph holds one such edge.
function walk(start: string, { next, done, cycles }: Walk): void {
  const trail: { name: string; rest: string[] }[] = [];
  const onTrail = new Set<string>();
  const enter = (name: string) => {
    trail.push({ name, rest: [...(next.get(name) ?? [])].reverse() });
    onTrail.add(name);
  };
  enter(start);
  for (let top = trail.at(-1); top !== undefined && cycles.length < MAX_CYCLES; top = trail.at(-1)) {
    const name = top.rest.pop();
    if (name === undefined) {
      done.add(top.name);
      onTrail.delete(top.name);
      trail.pop();
    } else if (onTrail.has(name)) {
      cycles.push(trail.slice(trail.findIndex(step => step.name === name)).map(step => step.name));
    } else if (!done.has(name)) {
      enter(name);
    }
  }
}
