// Who waits for whom, as a picture in text, coloured by state: one row an agent, lanes for those others wait for.
// Pure.

import { graphRows } from '../../plan/graph-rows.ts';
import { cellWidth, fitCells, padCells } from '../../text/cell-width.ts';
import { spanText } from '../../text/span-text.ts';
import type { Row } from './agent-row.ts';
import { elapsedOf } from './choose-rows.ts';
import type { Frame } from './overview-lines.ts';

export type Graph = { lines: string[]; keys: (string | null)[] }; // the row each line is about

// The graph of the execution that the selected row is in.
export function graphLines(all: readonly Row[], selected: Row | null, frame: Frame): Graph {
  const { width, paint } = frame;
  const rows = all.filter(row => row.execution !== null && row.execution === selected?.execution);
  if (rows.length === 0) return { lines: [paint('dim', '  no execution is selected')], keys: [null] };
  const byName = new Map(rows.map(row => [row.name, row]));
  const picture = graphRows(new Map(rows.map(({ name, dependencies }) => [name, [...dependencies]])));
  const lanes = Math.min(Math.floor(width / 2), Math.max(...picture.map(row => cellWidth(row.picture))));
  const names = Math.min(28, Math.max(...rows.map(({ name }) => cellWidth(name))));
  const lines = picture.map(({ name, picture: lane }) => {
    const row = byName.get(name)!;
    const { sign, colour, word } = row.look;
    const elapsed = elapsedOf(row, frame.now);
    const room = width - lanes - names - 16;
    const needs = row.dependencies.length === 0 ? '' : `after ${row.dependencies.join(', ')}`;
    const text = `${padCells(name, names)} ${padCells(word, 9)}${room < 10 ? '' : fitCells(`${(elapsed === null ? '' : spanText(elapsed)).padStart(7)}  ${needs}`, room)}`;
    const fitted = fitCells(text.trimEnd(), Math.max(4, width - lanes - 4));
    const start = paint('dim', padCells(lane, lanes));
    if (row.key === selected?.key) return `${start} ${paint('inverse', `${sign}›${fitted}`)}`;
    return `${start} ${paint(colour, sign)} ${paint(colour, fitted)}`;
  });
  return { lines, keys: picture.map(({ name }) => byName.get(name)!.key) };
}
