// Who is selected: the one place that decides it, for what is shown and for what keys act on. Pure.
//
// The cursor is pinned to a row as soon as there is one, and rows may then come, go and change places around it. Where
// its row goes away, the cursor has to move without having been told to: that is said, and what is typed in that
// moment was meant for somebody else.

import { buildRows, type Row } from './agent-row.ts';
import { chooseRows } from './choose-rows.ts';
import { forgetHold } from './hold-told.ts';
import type { Seen } from './seen.ts';
import type { Ui } from './ui.ts';

// Nobody reads and presses faster than this: a key so soon was meant for what stood there before.
export const JUST_MS = 500;

export type Rows = { all: readonly Row[]; shown: readonly Row[] };
export type Settling = { at: number; by: 'person' | 'world' }; // whose doing the change is

export function rowsOf(seen: Seen, ui: Ui, now: number): Rows {
  const all = buildRows(seen);
  return { all, shown: chooseRows(all, ui.choice, now) };
}

// The same object where nothing has to change.
export function settleUi(before: Ui, rows: Rows, settling: Settling): Ui {
  const ui = forgetHold(isThere(before, rows) ? before : moved(before, rows, settling), rows.all);
  const digest = rows.all.find(({ key }) => key === ui.selected)?.question?.digest ?? null;
  const { still } = ui;
  if (still.key === ui.selected && still.digest === digest) return ui;
  // Nobody can have meant something else before anything was shown.
  const isSudden = settling.by === 'world' && still.key !== null;
  const since = isSudden ? settling.at : 0;
  const cursorAt = still.key === ui.selected ? still.cursorAt : since;
  return { ...ui, still: { key: ui.selected, digest, questionAt: since, cursorAt } };
}

// A page shows its agent whatever the filter of the overview says.
const isThere = ({ zoom, selected }: Ui, { all, shown }: Rows): boolean =>
  (zoom === 'overview' ? shown : all).some(({ key }) => key === selected);

function moved(ui: Ui, { all, shown }: Rows, { by }: Settling): Ui {
  const first = shown[0];
  if (ui.selected === null && first === undefined && ui.zoom === 'overview') return ui;
  const next: Ui = { ...ui, zoom: 'overview', scroll: 0, selected: first?.key ?? null };
  if (by === 'person' || ui.selected === null) return next;
  const name = ui.selected.split('\u0000').at(-1);
  const where = all.some(({ key }) => key === ui.selected) ? 'is no longer in this list' : 'is gone';
  const now = first === undefined ? '' : `; the cursor is on ${first.name} now`;
  return { ...next, message: { text: `${name} ${where}${now}`, kind: 'info' } };
}
