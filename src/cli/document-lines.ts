// A handoff document laid out for a terminal of a given width: headings stand out, tables become columns where they
// fit and a list where not, comments of the template and empty rows are left out. Expects text without control
// sequences. Pure.

import { cellWidth, padCells } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { wrapText } from './wrap-text.ts';

export function documentLines(text: string, width: number, paint: Paint): string[] {
  const source = text.replace(/<!--[\s\S]*?-->/g, '').split('\n');
  const lines: string[] = [];
  let table: string[] = [];
  let isCode = false;
  const flush = () => {
    lines.push(...tableLines(table.map(cellsOf), width));
    table = [];
  };
  for (const line of source) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^\s*\|.*\|\s*$/.test(line)) {
      table.push(line);
      continue;
    }
    flush();
    const heading = isCode ? null : /^#{1,6}\s+(.*)$/.exec(line);
    if (heading !== null) lines.push(...wrapText(bare(heading[1]!), width).map(part => paint('bold', part)));
    else lines.push(...(isCode ? [line] : wrapText(bare(line), width)));
  }
  flush();
  return squeezed(lines);
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(cell => bare(cell.trim()));

// Without the signs of bold text, and with what stands behind a backslash as itself.
const bare = (text: string): string => text.replaceAll(/\*\*|\\([!-/:-@[-`{-~])/g, (_, sign?: string) => sign ?? '');

function tableLines(rows: readonly string[][], width: number): string[] {
  const head = rows[0];
  if (head === undefined) return [];
  const body = rows.slice(1).filter(row => row.some(cell => cell !== '' && !/^:?-+:?$/.test(cell)));
  if (body.length === 0) return ['(none)'];
  const widths = head.map((_, at) => Math.max(...[head, ...body].map(row => cellWidth(row[at] ?? ''))));
  const total = widths.reduce((sum, each) => sum + each + 2, -2);
  if (total <= width) {
    return [head, ...body].map(row =>
      widths
        .map((each, at) => padCells(row[at] ?? '', each))
        .join('  ')
        .trimEnd(),
    );
  }
  return body.flatMap(row =>
    row.flatMap((cell, at) => {
      const lead = at === 0 ? '- ' : '  ';
      const name = head[at] === undefined || head[at] === '' ? '' : `${head[at]}: `;
      return cell === '' ? [] : wrapText(`${lead}${name}${cell}`, width);
    }),
  );
}

// One empty line at a time, none at the ends.
function squeezed(lines: readonly string[]): string[] {
  const kept = lines.filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''));
  while (kept[0] === '') kept.shift();
  while (kept.at(-1) === '') kept.pop();
  return kept;
}
