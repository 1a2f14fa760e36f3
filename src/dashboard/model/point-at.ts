// The mouse: a click selects, a click on what is selected zooms, the wheel moves. Pure.

import { pressKey, type Step } from './keys.ts';
import type { Body } from './screen.ts';
import type { Ui } from './ui.ts';

export type Pointed = { what: 'click' | 'wheel-up' | 'wheel-down'; column: number; row: number }; // from 1
const WHEEL_ROWS = 3;

export function pointAt(ui: Ui, { what, row }: Pointed, body: Body): Step {
  if (ui.entry !== null || ui.confirm !== null) return { ui, wishes: [] };
  if (what !== 'click') {
    let next = ui;
    for (let turn = 0; turn < WHEEL_ROWS; turn += 1) {
      next = pressKey(next, what === 'wheel-up' ? 'up' : 'down', body.screen, 0).ui;
    }
    return { ui: next, wishes: [] };
  }
  const key = body.keys[row - 2]; // the header stands in row 1
  if (key == null) return { ui, wishes: [] };
  if (key === body.screen.selected?.key) return pressKey(ui, 'enter', body.screen, 0);
  return { ui: { ...ui, selected: key, message: null }, wishes: [] };
}
