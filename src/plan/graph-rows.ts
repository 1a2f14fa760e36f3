// The graph of dependencies as rows of text: one row an agent, in the order of waves. Whoever others wait for
// keeps a lane going down from it; a row takes its line from the lanes of those it needs. A line that only passes
// a lane leaves that lane whole (│). Pure.

import type { Dependencies } from './graph.ts';
import { wavesOf } from './waves.ts';

export type GraphRow = { name: string; picture: string; wave: number }; // wave 0: it never becomes free

export function graphRows(deps: Dependencies): GraphRow[] {
  const { waves, never } = wavesOf(deps);
  const order = [...waves.flat(), ...never];
  const rowOf = new Map(order.map((name, row) => [name, row]));
  const waveOf = new Map(waves.flatMap((names, at) => names.map(name => [name, at + 1] as const)));
  const earlier = (name: string) =>
    (deps.get(name) ?? []).filter(need => (rowOf.get(need) ?? Number.POSITIVE_INFINITY) < rowOf.get(name)!);
  const lastUse = new Map<string, number>();
  for (const name of order) for (const need of earlier(name)) lastUse.set(need, rowOf.get(name)!);

  const lanes: (string | null)[] = [];
  return order.map((name, row) => {
    const needs = new Set(earlier(name));
    const ends = (lane: string) => lastUse.get(lane) === row;
    const free = lanes.indexOf(null);
    const column = free < 0 ? lanes.length : free;
    const picture = pictureOf({ lanes, needs, ends, column });
    for (const [at, lane] of lanes.entries()) if (lane !== null && ends(lane)) lanes[at] = null;
    lanes[column] = lastUse.has(name) ? name : null;
    while (lanes.at(-1) === null) lanes.pop();
    return { name, picture, wave: waveOf.get(name) ?? 0 };
  });
}

type Row = {
  lanes: readonly (string | null)[];
  needs: ReadonlySet<string>;
  ends: (lane: string) => boolean;
  column: number;
};

function pictureOf({ lanes, needs, ends, column }: Row): string {
  const isNeeded = (at: number) => lanes[at] != null && needs.has(lanes[at]!);
  const joined = [column, ...[...lanes.keys()].filter(isNeeded)];
  const [first, last] = [Math.min(...joined), Math.max(...joined)];
  let text = '';
  for (let at = 0; at <= Math.max(column, lanes.length - 1); at += 1) {
    const lane = lanes[at] ?? null;
    if (at === column) text += '●';
    else if (lane !== null && isNeeded(at)) text += joint(ends(lane), at === first, at === last);
    else text += lane !== null ? '│' : at > first && at < last ? '─' : ' ';
    text += at >= first && at < last ? '─' : ' ';
  }
  return text.trimEnd();
}

function joint(isEnd: boolean, isFirst: boolean, isLast: boolean): string {
  if (isFirst) return isEnd ? '╰' : '├';
  if (isLast) return isEnd ? '╯' : '┤';
  return isEnd ? '┴' : '┼';
}
