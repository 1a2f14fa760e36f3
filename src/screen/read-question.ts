// The question of a dialog, with its options, so that a person or a policy can answer it by number. The
// digest names the question: whoever answers later compares it with the one on the screen then.

import { createHash } from 'node:crypto';
import type { ScreenOption, ScreenQuestion, ScreenState } from '../protocol/screen.ts';
import { parseCells, type Row } from './cells.ts';
import { findBox } from './find-box.ts';
import { findDialog } from './find-dialog.ts';
import { newestPatterns, type ScreenPatterns } from './screen-patterns.ts';

const ASKING: readonly ScreenState[] = ['permission', 'question', 'plan', 'trust', 'api_key', 'bypass', 'mcp', 'login'];
const MARKED = /^(\s*)❯ (?=\S)/;
const NUMBERED = /^(\d{1,2})\. (.*)$/;
const ORNAMENT = /^\s*[─╌▔]+\s*$/;

type Found = ScreenOption & { at: number };

export function readQuestion(text: string, patterns: ScreenPatterns = newestPatterns): ScreenQuestion | null {
  const rows = parseCells(text);
  if (findBox(rows, patterns) !== null) return null;
  const dialog = findDialog(rows, patterns);
  if (dialog === null || !ASKING.includes(dialog.state)) return null;
  const options = readOptions(dialog.rows);
  const start = dialog.rows.findIndex(row => row.text !== '' && !ORNAMENT.test(row.text));
  if (options.length === 0 || start < 0) return null;
  const title = dialog.rows[start]!.text.trim();
  const body = dialog.rows
    .slice(start + 1, options[0]!.at)
    .filter(row => row.text !== '' && !ORNAMENT.test(row.text))
    .map(row => row.text.trim())
    .join('\n');
  const shown = options.map(({ number, label, selected }) => ({ number, label, selected }));
  return { title, body, options: shown, digest: digestOf([title, body, ...shown.map(option => option.label)]) };
}

function readOptions(rows: readonly Row[]): Found[] {
  const marked = rows.findLast(row => MARKED.test(row.text));
  if (marked === undefined) return [];
  const column = MARKED.exec(marked.text)![1]!.length + 2;
  return NUMBERED.test(marked.text.slice(column)) ? readNumbered(rows, column) : readPlain(rows, marked, column);
}

// Only rows whose number stands in the marked row's column: a description may say "1. Yes" too.
function readNumbered(rows: readonly Row[], column: number): Found[] {
  let run: Found[] = [];
  rows.forEach((row, at) => {
    const found = NUMBERED.exec(row.text.slice(column));
    const lead = row.text.slice(0, column).trim();
    if (found !== null && (lead === '' || lead === '❯')) {
      const number = Number(found[1]);
      if (number === 1) run = [];
      if (number === run.length + 1) run.push({ number, label: found[2]!.trim(), selected: lead === '❯', at });
      return;
    }
    const option = run.at(-1);
    if (option !== undefined && isRestOfLabel(rows, row, at, option, column)) option.label += ` ${row.text.trim()}`;
  });
  return run.some(option => option.selected) ? run : [];
}

// A wrapped label goes on in its own colour; a description has another.
function isRestOfLabel(rows: readonly Row[], row: Row, at: number, option: Found, column: number): boolean {
  const first = row.cells.findIndex(cell => cell.char.trim() !== '');
  if (first < column + 2 || at === 0 || rows[at - 1]!.text === '') return false;
  const labelAt = rows[option.at]!.text.indexOf(option.label.slice(0, 1), column + 2);
  return row.cells[first]!.fg === rows[option.at]!.cells[labelAt]?.fg;
}

// Options without numbers are counted from the top; they stand in one block around the marked one.
function readPlain(rows: readonly Row[], marked: Row, column: number): Found[] {
  const here = rows.indexOf(marked);
  const isOption = (row: Row | undefined) =>
    row !== undefined && /^\s*(?:❯ )?$/.test(row.text.slice(0, column)) && /\S/.test(row.text.charAt(column));
  let from = here;
  while (isOption(rows[from - 1])) from -= 1;
  let to = here;
  while (isOption(rows[to + 1])) to += 1;
  return rows.slice(from, to + 1).map((row, index) => ({
    number: index + 1,
    label: row.text.slice(column).trim(),
    selected: row === marked,
    at: from + index,
  }));
}

function digestOf(parts: readonly string[]): string {
  const words = parts.map(part => part.replace(/\s+/g, ' '));
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);
}
