// Does Claude Code show work that goes on behind an idle box (`· 1 shell ·` in the row of the permission mode)? Pure.
// No means only that none is shown: a narrow pane may cut the row before it.

import { parseCells } from './cells.ts';

const LAST_ROWS = 3; // the mode row, and a notice below it in a narrow pane
const SHOWN = /^ {2}[⏸⏵?].* · \d+ (?:background )?(?:shell|task|agent|monitor|workflow)s?(?= ·|…|\s*$)/u;

export function hasBackground(text: string): boolean {
  const rows = parseCells(text).map(row => row.text);
  return rows
    .filter(row => row.trim() !== '')
    .slice(-LAST_ROWS)
    .some(row => SHOWN.test(row));
}
