// What is on the screen between header and keys, for what is seen and chosen. Pure.

import { fitCells } from '../../text/cell-width.ts';
import type { Paint } from '../../text/paint.ts';
import { agentLines, questionLines } from './agent-lines.ts';
import { conflictAt } from './conflict-at.ts';
import type { Detail } from './detail.ts';
import { graphLines } from './graph-lines.ts';
import type { Screen } from './keys.ts';
import { type Frame, overviewLines } from './overview-lines.ts';
import { pagerLines } from './pager-lines.ts';
import type { Seen } from './seen.ts';
import { rowsOf, settleUi } from './settle-ui.ts';
import type { Ui } from './ui.ts';
import { wrapPage } from './wrap-page.ts';

export type Body = {
  lines: readonly string[];
  screen: Screen; // what keys need to know
  keys: readonly (string | null)[]; // the row that each line is about, for the mouse
};

export type BodyInput = {
  seen: Seen;
  ui: Ui;
  now: number;
  page: readonly string[];
  detail: Detail | null;
  width: number;
  height: number;
  paint: Paint;
};

export const emptyBody: Body = {
  lines: [],
  screen: { rows: [], all: [], selected: null, isAsked: false, page: 1, lines: 0, texts: [], conflict: null },
  keys: [],
};

export function buildScreen({ seen, ui: given, now, page, detail, width, height, paint }: BodyInput): Body {
  const frame = { width, height, now, paint };
  const { all, shown: rows } = rowsOf(seen, given, now);
  const ui = settleUi(given, { all, shown: rows }, { at: now, by: 'person' });
  const selected = all.find(({ key }) => key === ui.selected) ?? null;
  const conflict = conflictAt(ui.pager, seen);
  const screen: Screen = { rows, all, selected, isAsked: false, page: height, lines: 0, texts: [], conflict };
  if (ui.pager !== null) {
    const texts = wrapPage(page, width - 1);
    const { lines, room } = pagerLines(ui.pager, page, texts, { ...frame, conflict });
    return { lines, screen: { ...screen, page: room, lines: texts.length, texts }, keys: [] };
  }
  if (ui.zoom === 'agent' && selected !== null) {
    const whole = agentLines(selected, detail?.key === selected.key ? detail : null, frame);
    const top = Math.min(ui.scroll, Math.max(0, whole.length - height));
    const isAsked = selected.question !== null && top < 2 + questionLines(selected, frame).length;
    return { lines: part(whole, top, frame), screen: { ...screen, isAsked, lines: whole.length }, keys: [] };
  }
  if (ui.zoom === 'graph') {
    const graph = graphLines(all, selected, frame);
    const order = graph.keys.flatMap(key => all.find(row => row.key === key) ?? []);
    const at = Math.max(0, graph.keys.indexOf(selected?.key ?? null));
    const top = Math.max(0, Math.min(at - Math.floor(height / 2), graph.lines.length - height));
    return {
      lines: graph.lines.slice(top, top + height),
      screen: { ...screen, rows: order },
      keys: graph.keys.slice(top, top + height),
    };
  }
  const overview = overviewLines(seen, rows, ui, frame);
  const before = Array.from({ length: overview.rowsAt }, () => null);
  return {
    lines: overview.lines,
    screen: { ...screen, page: Math.max(1, height - overview.rowsAt - 1) },
    keys: [...before, ...rows.slice(overview.firstRow).map(({ key }) => key)].slice(0, overview.lines.length),
  };
}

// What goes on below is said.
function part(whole: readonly string[], top: number, { height, width, paint }: Frame): string[] {
  const lines = whole.slice(top, top + height);
  const below = whole.length - top - height;
  if (below <= 0 || height < 3) return lines;
  return [...lines.slice(0, -1), paint('dim', fitCells(`  … ${below + 1} more below (↓)`, width))];
}
