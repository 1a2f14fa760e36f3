// One row as one line of exactly the given width, painted. Pure. All text of agents is stripped here.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells, padCells } from '../../text/cell-width.ts';
import type { Paint } from '../../text/paint.ts';
import { spanText } from '../../text/span-text.ts';
import type { Row } from './agent-row.ts';
import { elapsedOf } from './choose-rows.ts';
import { contextBar, contextTone, costText, sparkline, tokensText } from './context-bar.ts';
import { type ColumnName, type Columns, columnNames } from './row-columns.ts';

export type RowFrame = { columns: Columns; width: number; now: number; paint: Paint };

// Long enough for any terminal, short enough that a line of a megabyte costs nothing.
const MOST_TEXT = 400;

const clean = (text: string): string => plainText(text.slice(0, MOST_TEXT * 4), { max: MOST_TEXT }).trim();

export function rowLine(row: Row, isSelected: boolean, { columns, width, now, paint }: RowFrame): string {
  const { sign, colour } = row.look;
  const cells = columnNames.flatMap(name => {
    const room = columns[name];
    return room === undefined ? [] : [cell(name, row, room, now, isSelected ? plainPaint : paint)];
  });
  // The arrow is for terminals without colours.
  if (isSelected) return paint('inverse', padCells(`${sign}›${cells.join(' ')}`, width));
  return `${paint(colour, sign)} ${cells.join(' ')}`;
}

const plainPaint: Paint = (_, text) => text;

function cell(name: ColumnName, row: Row, room: number, now: number, paint: Paint): string {
  const { context, look } = row;
  switch (name) {
    case 'execution':
      return paint('dim', padCells(bothEnds(clean(row.execution ?? 'adopted'), room), room));
    case 'name':
      return row.rank === 'needs' ? paint('bold', padCells(clean(row.name), room)) : padCells(clean(row.name), room);
    case 'state':
      return paint(look.colour, padCells(row.handoff === null ? stateWord(row) : handoffWord(row.handoff), room));
    case 'attempt':
      return padCells(row.attempt > 1 ? `#${row.attempt}` : '', room);
    case 'time': {
      const elapsed = elapsedOf(row, now);
      return (elapsed === null ? '' : spanText(elapsed)).padStart(room).slice(-room);
    }
    case 'bar':
      if (!row.isClaude) return ' '.repeat(room);
      return contextBar(context, room)
        .map(part => paint(part.tone, part.text))
        .join('');
    case 'tokens': {
      if (!row.isClaude) return ' '.repeat(room);
      const text = `${tokensText(context.tokens)}/${tokensText(context.threshold)}`;
      return paint(contextTone(context), fitCells(text, room).padStart(room));
    }
    case 'curve':
      return paint('cyan', padCells(sparkline(row.history, room, context), room));
    case 'cost':
      return row.isClaude ? costText(row.costUsd).padStart(room).slice(-room) : ' '.repeat(room);
    case 'task':
      return paint('dim', padCells(clean(row.task), room));
    case 'last':
      return row.rank === 'needs'
        ? paint('yellow', padCells(clean(row.last), room))
        : paint('dim', padCells(clean(row.last), room));
  }
}

// Ids differ at their end more often than at their beginning.
function bothEnds(text: string, room: number): string {
  if (cellWidth(text) <= room) return text;
  const end = [...text].slice(-Math.ceil(room / 2)).join('');
  return `${fitCells(text, room - cellWidth(end))}${end}`;
}

// Somebody has control and it asks all the same: one does not hide the other.
const stateWord = ({ look, rank, heldBy }: Row): string =>
  rank === 'needs' && heldBy !== null ? `${look.word} ■` : look.word;

// The steps of a handoff in words that fit the column of states.
const handoffWord = (step: string): string => `⇄${step}`;

export function columnsLine(columns: Columns, sort: string, width: number, paint: Paint): string {
  const titles: Record<ColumnName, string> = {
    execution: 'EXECUTION',
    name: 'AGENT',
    state: 'STATE',
    attempt: '#',
    time: 'TIME',
    bar: 'CONTEXT',
    tokens: 'TOKENS',
    curve: 'OVER TIME',
    cost: 'COST',
    task: 'TASK',
    last: 'LAST',
  };
  const sorted: Record<string, ColumnName> = { name: 'name', context: 'bar', cost: 'cost', elapsed: 'time' };
  const right = new Set<ColumnName>(['time', 'tokens', 'cost']);
  const cells = columnNames.flatMap(name => {
    const room = columns[name];
    if (room === undefined) return [];
    const title = fitCells(`${titles[name]}${sorted[sort] === name ? '▾' : ''}`, room);
    return [right.has(name) ? title.padStart(room) : title.padEnd(room)];
  });
  return paint('dim', fitCells(`  ${cells.join(' ')}`, width));
}
