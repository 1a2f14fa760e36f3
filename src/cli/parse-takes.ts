// --take c1=agent --take c2=file → the choices of a person, or every mistake in them at once. Pure but
// for `isFile`, which is handed in.

import type { Conflict } from '../protocol/conflicts.ts';
import { Fault } from '../protocol/fault.ts';
import type { Problem } from '../protocol/request.ts';
import { didYouMean } from './did-you-mean.ts';

export type Choice = { agent: string } | { file: string };

export function parseTakes(
  takes: readonly string[],
  conflicts: readonly Conflict[],
  isFile: (path: string) => boolean,
): Record<string, Choice> {
  const choices = new Map<string, Choice>();
  const problems: Problem[] = [];
  for (const take of takes) {
    const problem = parseTake(take, conflicts, { isFile, choices });
    if (problem !== null) problems.push({ path: `--take ${take}`, ...problem });
  }
  if (problems.length > 0) throw new Fault('invalid', 'the choices cannot be used', '', { problems });
  return Object.fromEntries(choices);
}

type Mistake = { message: string; cure: string } | null;

function parseTake(
  take: string,
  conflicts: readonly Conflict[],
  { isFile, choices }: { isFile: (path: string) => boolean; choices: Map<string, Choice> },
): Mistake {
  const equals = take.indexOf('=');
  if (equals < 1) return { message: 'has no conflict and choice', cure: 'write: --take <conflict>=<agent>' };
  const [id, value] = [take.slice(0, equals), take.slice(equals + 1)];
  const conflict = conflicts.find(each => each.id === id);
  const ids = conflicts.map(each => each.id);
  if (conflict === undefined) {
    return {
      message: `there is no conflict "${id}"`,
      cure: didYouMean(id, ids) ?? `the conflicts are: ${ids.join(', ')}`,
    };
  }
  if (choices.has(id)) return { message: `conflict "${id}" is decided twice`, cure: 'decide it once' };
  const agents = conflict.sides.map(side => side.agent);
  if (agents.includes(value)) choices.set(id, { agent: value });
  else if (isFile(value)) choices.set(id, { file: value });
  else {
    const cure = didYouMean(value, agents) ?? `its agents are: ${agents.join(', ')}`;
    return { message: `"${value}" is neither an agent of this conflict nor a file`, cure };
  }
  return null;
}
