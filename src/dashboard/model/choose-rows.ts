// Which rows are shown, and in which order: whoever needs a person first, always; within that, as asked. Pure.

import { type Rank, type Row, ranks } from './agent-row.ts';

export const sorts = ['time', 'name', 'context', 'cost', 'elapsed'] as const;
export type Sort = (typeof sorts)[number];
export type Choice = { filter: string; onlyNeeds: boolean; sort: Sort };

export function chooseRows(rows: readonly Row[], { filter, onlyNeeds, sort }: Choice, now: number): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const inOrder = compare[sort];
  return rows
    .filter(row => (!onlyNeeds || row.rank === 'needs') && words.every(word => textOf(row).includes(word)))
    .map((row, at) => ({ row, at }))
    .sort((a, b) => rankOf(a.row) - rankOf(b.row) || inOrder(a.row, b.row, now) || a.at - b.at)
    .map(({ row }) => row);
}

// Who stands still while it waits for a person comes before what can wait; among the ended, what went wrong first.
const order: Partial<Record<Rank, readonly string[]>> = {
  needs: ['asks', 'stuck', 'parked', 'full', 'no engine', 'conflict'],
  ended: ['failed', 'timeout', 'done', 'skipped'],
};
const rankOf = ({ rank, look }: Row): number => ranks.indexOf(rank) * 10 + (order[rank]?.indexOf(look.word) ?? 0);

const textOf = (row: Row): string =>
  `${row.execution ?? 'adopted'} ${row.name} ${row.look.word} ${row.task} ${row.handoff ?? ''}`.toLowerCase();

// Unknown comes last, whatever is sorted by.
const down = (a: number | null, b: number | null): number => (b ?? -1) - (a ?? -1);
export const elapsedOf = (row: Row, now: number): number | null =>
  row.startedAt === null ? null : (row.endedAt ?? now) - row.startedAt;

const compare: Record<Sort, (a: Row, b: Row, now: number) => number> = {
  time: () => 0, // as the feed has them: newest execution first, agents as in its request
  name: (a, b) => a.name.localeCompare(b.name),
  context: (a, b) => down(fullness(a), fullness(b)),
  cost: (a, b) => down(a.costUsd, b.costUsd),
  elapsed: (a, b, now) => down(elapsedOf(a, now), elapsedOf(b, now)),
};

const fullness = ({ context }: Row): number | null =>
  context.tokens === null ? null : context.tokens / (context.threshold ?? context.window ?? 200_000);
