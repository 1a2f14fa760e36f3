// Costs as lines of a terminal, in columns that fit its width. Pure.

import { plainText } from '../files/plain-text.ts';
import type { ChainRow, CostRow, Costs } from '../pages/costs.ts';
import { usd } from '../pages/words.ts';
import { cellWidth, fitCells, padCells } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { counted } from '../text/span-text.ts';
import { wrapText } from './wrap-text.ts';

export const costViews = ['execution', 'agent', 'day', 'chain'] as const;
export type CostView = (typeof costViews)[number];

const MOST_ROWS = 40;

export function costLines(costs: Costs, view: CostView | null, width: number, paint: Paint): string[] {
  const parts: readonly [CostView, readonly (CostRow | ChainRow)[]][] = [
    ['execution', costs.executions],
    ['agent', costs.agents],
    ['day', costs.days],
    ['chain', costs.chains],
  ];
  const shown = parts.filter(([name, rows]) => (view === null ? rows.length > 0 : name === view));
  return [
    ...shown.flatMap(([name, rows]) => [paint('bold', `by ${name}`), ...table(rows, width), '']),
    `total: ${figure(costs.total)}${costs.total.attempts === 0 ? '; no attempt of Claude Code is known' : ''}`,
    ...(costs.total.at_least ? wrapText('(+) so far: it still runs.', width) : []),
    ...(costs.other_programs === 0
      ? []
      : wrapText(`${counted(costs.other_programs, 'attempt')} of other programs: what they cost is not known.`, width)),
  ];
}

// "unknown", "$0.12", "$0.12+", "$0.12 and 2 unknown"
export function figure({ cost_usd, unknown, at_least }: CostRow): string {
  if (cost_usd === null) return 'unknown';
  return `${usd(cost_usd)}${at_least ? '+' : ''}${unknown === 0 ? '' : ` and ${unknown} unknown`}`;
}

function table(rows: readonly (CostRow | ChainRow)[], width: number): string[] {
  if (rows.length === 0) return ['  none'];
  const shown = rows.slice(0, MOST_ROWS);
  const figures = shown.map(figure);
  const most = Math.max(...figures.map(cellWidth));
  const details = shown.map(row => {
    const chain = 'sessions' in row ? `, ${counted(row.sessions, 'session')}${row.estimated ? ', estimated' : ''}` : '';
    return `${counted(row.attempts, 'attempt')}${chain}`;
  });
  const wide = Math.max(...details.map(cellWidth));
  const hasDetails = width >= 2 + 16 + 2 + most + 2 + wide;
  const names = shown.map(({ name }) => plainText(name, { max: 300 }));
  const room = width - 4 - most - (hasDetails ? wide + 2 : 0);
  const cells = Math.max(8, Math.min(room, Math.max(...names.map(cellWidth))));
  const left = rows.length - shown.length;
  return [
    ...shown.map((_, at) => {
      const line = `  ${padCells(names[at]!, cells)}  ${figures[at]!.padStart(most)}`;
      return fitCells(hasDetails ? `${line}  ${details[at]}` : line, width);
    }),
    ...(left === 0 ? [] : [`  … ${left} more; --json has all`]),
  ];
}
