// Two texts, line by line beside each other: equal lines meet, others stand alone. Pure.

export type Pair = { left: string | null; right: string | null };

// The table of common lines has left × right cells; above this, lines are paired by their number.
const MOST_CELLS = 4_000_000;

export function alignLines(left: readonly string[], right: readonly string[]): Pair[] {
  const start = commonStart(left, right);
  const end = commonStart(left.slice(start).toReversed(), right.slice(start).toReversed());
  const [middleLeft, middleRight] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  const same = (lines: readonly string[]) => lines.map(line => ({ left: line, right: line }));
  return [
    ...same(left.slice(0, start)),
    ...alignMiddle(middleLeft, middleRight),
    ...same(left.slice(left.length - end)),
  ];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

function alignMiddle(left: readonly string[], right: readonly string[]): Pair[] {
  if (left.length * right.length > MOST_CELLS) return pairUp(left, right);
  const common = commonTable(left, right);
  const pairs: Pair[] = [];
  let [row, column, fromRow, fromColumn] = [0, 0, 0, 0];
  const flush = () => pairs.push(...pairUp(left.slice(fromRow, row), right.slice(fromColumn, column)));
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      flush();
      pairs.push({ left: left[row]!, right: right[column]! });
      [row, column] = [row + 1, column + 1];
      [fromRow, fromColumn] = [row, column];
    } else if (common[row + 1]![column]! >= common[row]![column + 1]!) row += 1;
    else column += 1;
  }
  [row, column] = [left.length, right.length];
  flush();
  return pairs;
}

// common[i][j]: how many lines left[i…] and right[j…] have in common, in order.
function commonTable(left: readonly string[], right: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      table[row]![column] =
        left[row] === right[column]
          ? table[row + 1]![column + 1]! + 1
          : Math.max(table[row + 1]![column]!, table[row]![column + 1]!);
    }
  }
  return table;
}

function pairUp(left: readonly string[], right: readonly string[]): Pair[] {
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, row) => ({ left: left[row] ?? null, right: right[row] ?? null }));
}
