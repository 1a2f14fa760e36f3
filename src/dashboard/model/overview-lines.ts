// The overview as lines: executions that go on or ended lately, titles, rows. Only the rows that fit are made. Pure.

import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Paint } from '../../text/paint.ts';
import type { Row } from './agent-row.ts';
import { executionLine } from './header-line.ts';
import { chooseColumns } from './row-columns.ts';
import { columnsLine, rowLine } from './row-line.ts';
import type { Seen } from './seen.ts';
import type { Ui } from './ui.ts';

export type Frame = { width: number; height: number; now: number; paint: Paint };
export type Overview = { lines: string[]; firstRow: number; rowsAt: number }; // for the mouse: which line is which row

const MOST_EXECUTIONS = 4;
const LATELY_MS = 60 * 60 * 1000; // what came of it is told for so long; afterwards its agents' rows tell
const LEAST_FOR_TITLES = 8; // lines: below, every line is for an agent

export function overviewLines(seen: Seen, rows: readonly Row[], ui: Ui, frame: Frame): Overview {
  const { width, height, paint } = frame;
  const going = seen.executions.filter(({ status }) => status.status === 'running');
  const lately = seen.executions.filter(
    ({ status }) => status.status !== 'running' && frame.now - Date.parse(status.updated_at) < LATELY_MS,
  );
  const room = Math.min(MOST_EXECUTIONS, Math.floor(height / 6));
  const executions = [...going, ...lately].slice(0, room).map(each => executionLine(each, frame));
  if (rows.length === 0) {
    return { lines: [...executions, ...emptyLines(seen, ui, frame)], firstRow: 0, rowsAt: executions.length };
  }
  const columns = chooseColumns({
    width,
    nameCells: Math.max(5, ...rows.map(({ name }) => cellWidth(name))),
    executionCells: hasSeveral(rows) ? Math.max(9, ...rows.map(row => cellWidth(row.execution ?? 'adopted'))) : 0,
    hasClaude: rows.some(({ isClaude }) => isClaude),
  });
  const titles = height < LEAST_FOR_TITLES ? [] : [columnsLine(columns, ui.choice.sort, width, paint)];
  const page = Math.max(1, height - executions.length - titles.length);
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === ui.selected),
  );
  // The selected row stays in sight with as little scrolling as can be: whole pages stand still.
  const isLong = rows.length > page;
  const shown = isLong ? page - 1 : page;
  const firstRow = isLong ? Math.min(Math.floor(at / shown) * shown, Math.max(0, rows.length - shown)) : 0;
  const lines = rows
    .slice(firstRow, firstRow + shown)
    .map((row, index) => rowLine(row, firstRow + index === at, { columns, width, now: frame.now, paint }));
  if (isLong) {
    const below = rows.length - firstRow - lines.length;
    lines.push(paint('dim', fitCells(`  … ${firstRow} above, ${below} below`, width)));
  }
  const rowsAt = executions.length + titles.length;
  return { lines: [...executions, ...titles, ...lines], firstRow, rowsAt };
}

const hasSeveral = (rows: readonly Row[]): boolean => new Set(rows.map(({ execution }) => execution)).size > 1;

function emptyLines(seen: Seen, { choice }: Ui, { width, paint }: Frame): string[] {
  const isFiltered = choice.filter !== '' || choice.onlyNeeds;
  const lines = isFiltered
    ? choice.onlyNeeds && choice.filter === ''
      ? ['nobody needs you just now', '', 'Esc shows all']
      : [`nothing fits "${choice.filter}"`, '', 'Esc shows all']
    : seen.executions.length === 0
      ? [
          'no execution yet',
          '',
          'start one: baton run <request>',
          'or try it: baton demo',
          'or give a pane: baton adopt',
        ]
      : ['nothing to show'];
  return ['', ...lines].map(line => paint('dim', fitCells(`  ${line}`, width)));
}
