// What is on the screen between header and keys, for what is seen and chosen. Pure.

import type { Paint } from '../../text/paint.ts';
import { agentLines } from './agent-lines.ts';
import { buildRows, type Row } from './agent-row.ts';
import { chooseRows } from './choose-rows.ts';
import { conflictAt } from './conflict-at.ts';
import type { Detail } from './detail.ts';
import { graphLines } from './graph-lines.ts';
import { type Screen, selectedRow } from './keys.ts';
import { overviewLines } from './overview-lines.ts';
import { pagerLines } from './pager-lines.ts';
import type { Seen } from './seen.ts';
import type { Ui } from './ui.ts';

export type Body = {
  lines: readonly string[];
  all: readonly Row[]; // also those a filter hides
  selected: Row | null;
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
  all: [],
  selected: null,
  screen: { rows: [], page: 1, lines: 0, texts: [], conflict: null },
  keys: [],
};

export function buildScreen({ seen, ui, now, page, detail, width, height, paint }: BodyInput): Body {
  const frame = { width, height, now, paint };
  const all = buildRows(seen);
  const rows = chooseRows(all, ui.choice, now);
  const selected = selectedRow(ui, ui.zoom === 'overview' ? rows : all);
  const conflict = conflictAt(ui.pager, seen);
  const base = { all, selected };
  const screen = { rows, page: height, lines: 0, texts: page, conflict };
  if (ui.pager !== null) {
    const { lines, total, room } = pagerLines(ui.pager, page, { ...frame, conflict });
    return { ...base, lines, screen: { ...screen, page: room, lines: total }, keys: [] };
  }
  if (ui.zoom === 'agent' && selected !== null) {
    const whole = agentLines(selected, detail?.key === selected.key ? detail : null, frame);
    const top = Math.min(ui.scroll, Math.max(0, whole.length - height));
    const lines = whole.slice(top, top + height);
    return { ...base, lines, screen: { ...screen, lines: whole.length }, keys: [] };
  }
  if (ui.zoom === 'graph') {
    const graph = graphLines(all, selected, frame);
    const order = graph.keys.flatMap(key => all.find(row => row.key === key) ?? []);
    const at = Math.max(0, graph.keys.indexOf(selected?.key ?? null));
    const top = Math.max(0, Math.min(at - Math.floor(height / 2), graph.lines.length - height));
    return {
      ...base,
      lines: graph.lines.slice(top, top + height),
      screen: { ...screen, rows: order },
      keys: graph.keys.slice(top, top + height),
    };
  }
  const overview = overviewLines(seen, rows, { ...ui, selected: selected?.key ?? null }, frame);
  const before = Array.from({ length: overview.rowsAt }, () => null);
  return {
    ...base,
    lines: overview.lines,
    screen: { ...screen, page: Math.max(1, height - overview.rowsAt - 1) },
    keys: [...before, ...rows.slice(overview.firstRow).map(({ key }) => key)].slice(0, overview.lines.length),
  };
}
