// Decides where in merged/ each output goes. Pure: the same outputs always go to the same places,
// no two places are equal or inside one another, and nothing stands where the merge writes its own files.

import type { MergeType } from '../protocol/request.ts';

type Placeable = { agent: string; key: string; name: string };

export function placeOutputs<T extends Placeable>(outputs: T[], type: MergeType): Map<T, string> {
  const taken = new Set(reservedNames(type));
  const places = new Map<T, string>();
  const put = (group: T[], candidates: Iterable<string>) => {
    for (const candidate of candidates) {
      if (clashes(candidate, taken)) continue;
      taken.add(candidate);
      for (const output of group) places.set(output, candidate);
      return;
    }
  };
  const { firsts, repeats } = splitRepeats(outputs);
  const groups = [...Map.groupBy(firsts, output => output.name)];
  const isAlone = (group: T[]) => group.length === 1;
  // Names used once come first, so that only those in a clash move.
  for (const [, group] of groups) if (isAlone(group)) put(group, alonePlaces(group[0]!));
  for (const [name, group] of groups) {
    if (isAlone(group)) continue;
    if (type === 'file_merge') put(group, sharedPlaces(name));
    else for (const output of group) put([output], ownPlaces(output));
  }
  for (const output of repeats) put([output], ownPlaces(output));
  return places;
}

function reservedNames(type: MergeType): string[] {
  return type === 'report_aggregation' ? ['integrated.ctxp', 'report.md', 'index.json'] : ['integrated.ctxp'];
}

// An agent's second output of one name never joins its first: they are two things of one maker.
function splitRepeats<T extends Placeable>(outputs: T[]) {
  const seen = new Set<string>();
  const firsts: T[] = [];
  const repeats: T[] = [];
  for (const output of outputs) {
    const id = JSON.stringify([output.agent, output.name]);
    (seen.has(id) ? repeats : firsts).push(output);
    seen.add(id);
  }
  return { firsts, repeats };
}

function clashes(candidate: string, taken: Set<string>): boolean {
  if (taken.has(candidate)) return true;
  for (const other of taken) {
    if (other.startsWith(`${candidate}/`) || candidate.startsWith(`${other}/`)) return true;
  }
  return false;
}

function* alonePlaces(output: Placeable): Generator<string> {
  yield output.name;
  yield* ownPlaces(output);
}

// Agents' names hold no ".", so "<agent>.<n>" is never another agent's folder, and the row has no end.
function* ownPlaces({ agent, key, name }: Placeable): Generator<string> {
  yield `${agent}/${name}`;
  yield `${agent}/${key}/${name}`;
  for (let n = 2; ; n++) yield `${agent}.${n}/${name}`;
}

function* sharedPlaces(name: string): Generator<string> {
  yield name;
  for (let n = 2; ; n++) yield `${name}.${n}`;
}
