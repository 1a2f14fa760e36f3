// Which columns of the overview fit a width, by importance, and how wide each is. Pure.

export const columnNames = [
  'execution',
  'name',
  'state',
  'attempt',
  'time',
  'bar',
  'tokens',
  'curve',
  'cost',
  'task',
  'last',
] as const;
export type ColumnName = (typeof columnNames)[number];
export type Columns = Partial<Record<ColumnName, number>>;

type Wish = { name: ColumnName; least: number; most: number };

// The most important first; each takes a space before it.
const wishes: readonly Wish[] = [
  { name: 'name', least: 10, most: 28 },
  { name: 'state', least: 9, most: 9 },
  { name: 'execution', least: 10, most: 20 }, // only where there are several
  { name: 'bar', least: 6, most: 16 },
  { name: 'time', least: 7, most: 7 },
  { name: 'tokens', least: 9, most: 9 },
  { name: 'last', least: 18, most: Number.POSITIVE_INFINITY },
  { name: 'attempt', least: 2, most: 3 },
  { name: 'cost', least: 6, most: 6 },
  { name: 'curve', least: 8, most: 24 },
  { name: 'task', least: 26, most: 60 },
];

const HEAD = 2; // the sign of the state, and where one stands

const ofClaude = new Set<ColumnName>(['bar', 'tokens', 'curve', 'cost']);

// executionCells 0: one execution; hasClaude false: no row has a context or a cost.
export type Needs = { width: number; nameCells: number; executionCells: number; hasClaude: boolean };

export function chooseColumns({ width, nameCells, executionCells, hasClaude }: Needs): Columns {
  const columns: Columns = {};
  let left = width - HEAD;
  const chosen: Wish[] = [];
  for (const wish of wishes) {
    if (wish.name === 'execution' && executionCells === 0) continue;
    if (!hasClaude && ofClaude.has(wish.name)) continue;
    const least = Math.min(wish.least, mostOf(wish, nameCells, executionCells));
    if (least + 1 > left) continue;
    columns[wish.name] = least;
    left -= least + 1;
    chosen.push(wish);
  }
  for (const [index, wish] of chosen.entries()) {
    if (left <= 0) break;
    const most = mostOf(wish, nameCells, executionCells);
    // What the agent says last gets the rest, but leaves half of it to those that come after.
    const share = wish.name === 'last' && index < chosen.length - 1 ? Math.ceil(left / 2) : left;
    const more = Math.min(share, most - columns[wish.name]!);
    columns[wish.name]! += more;
    left -= more;
  }
  if (left > 0 && columns.last !== undefined) columns.last += left;
  return columns;
}

const mostOf = (wish: Wish, nameCells: number, executionCells: number): number =>
  wish.name === 'name'
    ? Math.min(wish.most, Math.max(4, nameCells))
    : wish.name === 'execution'
      ? Math.min(wish.most, executionCells)
      : wish.most;
