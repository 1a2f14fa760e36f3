// One conflict → lines within a width: two sides beside each other, or one under the other where it is
// narrow or there are more than two. Pure. Contents come from agents and are stripped here.

import { plainText } from '../files/plain-text.ts';
import type { Conflict, ConflictSide } from '../protocol/conflicts.ts';
import { alignLines, type Pair } from './align-lines.ts';
import { fitCells, padCells } from './cell-width.ts';
import type { Paint } from './paint.ts';
import { bytesText } from './span-text.ts';

const NARROW = 60;
const AROUND = 2; // equal lines shown before and after a difference
const MOST_ROWS = 200;

export function conflictLines(conflict: Conflict, width: number, paint: Paint): string[] {
  const what = conflict.kind === 'file' ? 'file' : 'ctxpack node';
  return [
    paint('bold', fitCells(`${conflict.id}  ${what} ${plainText(conflict.path)}`, width)),
    fitCells(`  ${plainText(conflict.reason)}`, width),
    ...(conflict.sides.length === 2 && width >= NARROW
      ? beside(conflict, width, paint)
      : stacked(conflict, width, paint)),
    ...conflict.sides.map(side => paint('dim', `  ${plainText(side.agent)}: ${plainText(side.kept_at)}`)),
  ];
}

function beside({ sides }: Conflict, width: number, paint: Paint): string[] {
  const [left, right] = sides as [ConflictSide, ConflictSide];
  const cells = Math.floor((width - 3) / 2);
  const row = (a: string, mark: string, b: string) => `${padCells(a, cells)} ${mark} ${fitCells(b, cells)}`.trimEnd();
  const pairs = alignLines(contentLines(left), contentLines(right));
  return [
    row(sideTitle(left), '|', sideTitle(right)),
    row('-'.repeat(cells), '|', '-'.repeat(cells)),
    ...capped(
      fold(pairs).map(item => {
        if (typeof item === 'number') return paint('dim', row(equalText(item), '|', equalText(item)));
        const isEqual = item.left === item.right;
        const line = row(
          item.left ?? '',
          isEqual ? '|' : item.left === null ? '>' : item.right === null ? '<' : '!',
          item.right ?? '',
        );
        return isEqual ? line : paint('yellow', line);
      }),
    ),
  ];
}

function stacked({ sides }: Conflict, width: number, paint: Paint): string[] {
  return sides.flatMap(side => [
    paint('cyan', fitCells(`--- ${sideTitle(side)}`, width)),
    ...capped(contentLines(side).map(line => fitCells(`  ${line}`, width))),
  ]);
}

const sideTitle = (side: ConflictSide) => `${plainText(side.agent)} (${bytesText(side.bytes)})`;
const equalText = (count: number) => `… ${count} equal line${count === 1 ? '' : 's'}`;

function contentLines({ encoding, content, bytes, sha256 }: ConflictSide): string[] {
  if (encoding !== 'utf8')
    return [
      `(${encoding === 'file' ? 'too large to show' : 'not text'}: ${bytesText(bytes)}, sha256 ${sha256.slice(0, 12)})`,
    ];
  const lines = plainText(content, { keepNewlines: true }).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? ['(empty)'] : lines;
}

// Long runs of equal lines become one number: how many were left out.
function fold(pairs: readonly Pair[]): (Pair | number)[] {
  const differs = pairs.map(({ left, right }) => left !== right);
  const isNear = pairs.map((_, at) => differs.slice(Math.max(0, at - AROUND), at + AROUND + 1).includes(true));
  const folded: (Pair | number)[] = [];
  for (const [at, pair] of pairs.entries()) {
    const last = folded.at(-1);
    if (isNear[at]) folded.push(pair);
    else if (typeof last === 'number') folded[folded.length - 1] = last + 1;
    else folded.push(1);
  }
  return folded;
}

function capped(lines: string[]): string[] {
  if (lines.length <= MOST_ROWS) return lines;
  return [...lines.slice(0, MOST_ROWS), `… ${lines.length - MOST_ROWS} more lines; the whole versions are below`];
}
