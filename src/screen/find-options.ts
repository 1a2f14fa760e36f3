// The list of options that ends a dialog, and what stands before and after it. One option is marked with a
// sign; without that there is no list, because numbered lines are common in prose.

import type { ScreenOption } from '../protocol/screen.ts';
import type { Row } from './cells.ts';

export type FoundOption = ScreenOption & { at: number; end: number }; // first row, and the row after its last

const MARKED = /^(\s*)❯ (?=\S)/;
const NUMBERED = /^(\d{1,2})\. (.*)$/;
// Where not all options fit, an arrow stands in front of the first or last that is shown.
const LEAD = /^\s*[❯↑↓]?\s*$/;

export function findOptions(rows: readonly Row[]): FoundOption[] {
  const marked = rows.findLastIndex(row => MARKED.test(row.text));
  if (marked < 0) return [];
  const column = MARKED.exec(rows[marked]!.text)![1]!.length + 2;
  const isNumbered = NUMBERED.test(rows[marked]!.text.slice(column));
  return isNumbered ? findNumbered(rows, column) : findPlain(rows, marked, column);
}

// Only rows whose number stands in the marked row's column: a description may say "1. Yes" too.
function findNumbered(rows: readonly Row[], column: number): FoundOption[] {
  let run: FoundOption[] = [];
  rows.forEach((row, at) => {
    const found = NUMBERED.exec(row.text.slice(column));
    const lead = row.text.slice(0, column);
    const option = run.at(-1);
    if (found !== null && LEAD.test(lead)) {
      const number = Number(found[1]);
      if (option !== undefined && number <= option.number) run = [];
      run.push({ number, label: found[2]!.trim(), selected: lead.includes('❯'), at, end: at + 1 });
    } else if (option !== undefined && option.end === at && indentOf(row) >= column + 2) {
      option.end = at + 1;
      if (isRestOfLabel(rows[option.at]!, row, column)) option.label += ` ${row.text.trim()}`;
    }
  });
  return run.some(option => option.selected) ? run : [];
}

// A wrapped label goes on in its own colour; a description has another.
function isRestOfLabel(labelRow: Row, row: Row, column: number): boolean {
  const labelAt = column + /^\d+\. */.exec(labelRow.text.slice(column))![0].length;
  return row.cells[indentOf(row)]!.fg === labelRow.cells[labelAt]?.fg;
}

// Options without numbers are counted from the top; they stand in one block around the marked one.
function findPlain(rows: readonly Row[], marked: number, column: number): FoundOption[] {
  const isOption = (row: Row | undefined) =>
    row !== undefined && LEAD.test(row.text.slice(0, column)) && /\S/.test(row.text.charAt(column));
  let from = marked;
  while (isOption(rows[from - 1])) from -= 1;
  let to = marked;
  while (isOption(rows[to + 1])) to += 1;
  return rows.slice(from, to + 1).map((row, index) => ({
    number: index + 1,
    label: row.text.slice(column).trim(),
    selected: from + index === marked,
    at: from + index,
    end: from + index + 1,
  }));
}

const indentOf = (row: Row): number => row.text.search(/\S/);
