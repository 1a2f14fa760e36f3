// One key → what the dashboard shows next, and what is wished from the outside. Pure.
//
//   a line is typed  →  it takes every key          (type-line.ts)
//   a question waits →  y, or anything else for no
//   a page is open   →  scrolling, searching, q back (page-keys.ts)
//   else             →  the table of docs/dashboard.md

import type { Row } from './agent-row.ts';
import { sorts } from './choose-rows.ts';
import * as means from './commands-of.ts';
import type { ConflictAt } from './conflict-at.ts';
import { tellHold, toldOf } from './hold-told.ts';
import { pageKey } from './page-keys.ts';
import { JUST_MS } from './settle-ui.ts';
import { typeLine } from './type-line.ts';
import { type Message, newPager, type PagerKind, type Ui, type Wish } from './ui.ts';
import type { PageLine } from './wrap-page.ts';

// 'up', 'enter', 'ctrl-z', …, or the typed character itself. What was pasted is no key, whatever it says.
export type Key = string | { paste: string };
export type Screen = {
  rows: readonly Row[]; // as shown
  all: readonly Row[]; // also those a filter hides
  selected: Row | null; // the one that is shown as such: keys act on no other
  isAsked: boolean; // its question can be read
  page: number; // rows that fit
  lines: number; // of the open page or zoom
  texts: readonly PageLine[]; // of the open page, to search in
  conflict: ConflictAt | null; // that is looked at
};
export type Step = { ui: Ui; wishes: readonly Wish[] };

const stay = (ui: Ui, ...wishes: Wish[]): Step => ({ ui, wishes });
const say = (ui: Ui, text: string, kind: Message['kind'] = 'info'): Step => stay({ ...ui, message: { text, kind } });

export function pressKey(before: Ui, key: Key, screen: Screen, at: number): Step {
  if (key === 'ctrl-z') return stay(before, { do: 'suspend' });
  if (key === 'ctrl-l') return stay(before, { do: 'redraw' });
  if (before.entry !== null) return typeLine(before, key, screen);
  const ui = { ...before, message: null };
  if (typeof key !== 'string')
    return say(ui, 'what is pasted is taken only by a line that is typed: s sends, / filters');
  if (key === 'ctrl-c') return stay(ui, { do: 'quit' });
  if (ui.confirm !== null) return confirmKey(ui, key);
  if (ui.pager !== null) return pageKey(ui, key, screen);
  const row = screen.selected;
  return moveKey(ui, key, screen) ?? lookKey(ui, key, row) ?? actKey(ui, key, screen, at) ?? stay(ui);
}

function confirmKey(ui: Ui, key: string): Step {
  const { wish } = ui.confirm!;
  const next = { ...ui, confirm: null };
  return key === 'y' || key === 'Y' ? stay(next, wish) : say(next, 'nothing was done');
}

function moveKey(ui: Ui, key: string, { rows, page, lines }: Screen): Step | null {
  const by: Record<string, number> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -page,
    'ctrl-b': -page,
    'ctrl-u': -Math.ceil(page / 2),
    pagedown: page,
    'ctrl-f': page,
    'ctrl-d': Math.ceil(page / 2),
    home: Number.NEGATIVE_INFINITY,
    g: Number.NEGATIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
    G: Number.POSITIVE_INFINITY,
  };
  const step = by[key];
  if (step === undefined) return null;
  if (ui.zoom === 'agent') {
    return stay({ ...ui, scroll: clamp(ui.scroll + step, 0, Math.max(0, lines - page)) });
  }
  const at = rows.findIndex(row => row.key === ui.selected);
  const next = rows[clamp(Math.max(0, at) + step, 0, rows.length - 1)];
  return stay({ ...ui, selected: next?.key ?? null });
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

function lookKey(ui: Ui, key: string, row: Row | null): Step | null {
  const { choice, zoom } = ui;
  switch (key) {
    case 'q':
      return stay(ui, { do: 'quit' });
    case '?':
      return open(ui, 'help', 'keys', []);
    case 'escape':
    case 'left':
    case 'backspace':
      if (zoom !== 'overview') return stay({ ...ui, zoom: 'overview', scroll: 0 });
      return stay({ ...ui, choice: { ...choice, filter: '', onlyNeeds: false } });
    case 'enter':
    case 'right':
      if (row === null) return stay(ui);
      return stay({ ...ui, zoom: 'agent', selected: row.key, scroll: 0 });
    case 'tab':
      return stay({ ...ui, zoom: zoom === 'graph' ? 'overview' : 'graph', selected: row?.key ?? null, scroll: 0 });
    case 'D':
      return stay({ ...ui, zoom: 'graph', selected: row?.key ?? null, scroll: 0 });
    case '/':
      return stay({
        ...ui,
        entry: { kind: 'filter', text: choice.filter, cursor: [...choice.filter].length, back: 0, to: null },
      });
    case '!':
      return stay({ ...ui, zoom: 'overview', choice: { ...choice, onlyNeeds: !choice.onlyNeeds } });
    case 'o': {
      const sort = sorts[(sorts.indexOf(choice.sort) + 1) % sorts.length]!;
      return say({ ...ui, choice: { ...choice, sort } }, `sorted by ${sort}`);
    }
    default:
      return null;
  }
}

const ACTING = /^[avshHpRxCAldmryn1-9]$/;

function actKey(ui: Ui, key: string, screen: Screen, at: number): Step | null {
  const row = screen.selected;
  if (row === null || !ACTING.test(key)) return null;
  if (at - ui.still.cursorAt < JUST_MS) return say(ui, `the cursor came to ${row.name} just now: once more`, 'bad');
  const exec = row.execution;
  switch (key) {
    case 'a':
    case 'v': {
      const meant = means.attach(row, key === 'v');
      return 'why' in meant ? say(ui, meant.why, 'bad') : stay(ui, { do: 'attach', argv: meant.argv });
    }
    case 's':
      return type(ui, row);
    case 'h':
      return run(ui, means.handoff(row));
    case 'H':
      return hold(ui, row);
    case 'p':
      return run(ui, means.pause(row));
    case 'R':
      return ask(ui, means.retry(row), `Run ${row.name} and those that depend on it again?`);
    case 'x':
      return ask(ui, means.cancel(row), `Cancel ${exec}: end all its agents?`);
    case 'C':
      return run(ui, means.resume(row));
    case 'A':
      return ask(ui, means.archive(row), `Archive the handoff document of ${row.name} and begin a fresh one?`);
    case 'l':
      return exec === null
        ? say(ui, 'no logs of this pane', 'bad')
        : open(ui, 'logs', row.who, ['logs', row.who, '-f']);
    case 'd':
      return exec === null ? say(ui, 'no diff of this pane', 'bad') : open(ui, 'diff', row.who, ['diff', row.who]);
    case 'm':
      return exec === null ? say(ui, 'no execution here', 'bad') : open(ui, 'conflicts', exec, ['conflicts', exec]);
    case 'r':
      return exec === null ? say(ui, 'no execution here', 'bad') : open(ui, 'report', exec, means.reportArgv(exec));
    default:
      return answer(ui, key, screen, at);
  }
}

function type(ui: Ui, row: Row): Step {
  const meant = means.send(row, '');
  if ('why' in meant) return say(ui, meant.why, 'bad');
  const to = { key: row.key, name: row.name };
  return stay({ ...ui, entry: { kind: 'send', text: '', cursor: 0, back: 0, to } });
}

function hold(ui: Ui, row: Row): Step {
  const told = toldOf(ui, row);
  if (told?.isDone === false) return say(ui, `${told.isHeld ? 'hold' : 'release'} ${row.name}: not done yet`);
  const isHeld = told?.isHeld ?? row.heldBy !== null;
  const meant = means.hold(row, isHeld);
  return run('why' in meant ? ui : tellHold(ui, row, !isHeld), meant);
}

// Only a question that can be read is answered: elsewhere the key shows it.
function answer(ui: Ui, key: string, { selected, isAsked }: Screen, at: number): Step {
  const row = selected!;
  if (row.question === null) return say(ui, `${row.name} asks nothing`, 'bad');
  if (!isAsked) return stay({ ...ui, zoom: 'agent', selected: row.key, scroll: 0 });
  if (at - ui.still.questionAt < JUST_MS)
    return say(ui, 'the question has just changed: read it, then once more', 'bad');
  return run(ui, means.answer(row, key));
}

function run(ui: Ui, meant: means.Meant): Step {
  if ('why' in meant) return say(ui, meant.why, 'bad');
  return { ui: { ...ui, message: { text: `${meant.label} …`, kind: 'info' } }, wishes: [{ do: 'run', ...meant }] };
}

function ask(ui: Ui, meant: means.Meant, question: string): Step {
  if ('why' in meant) return say(ui, meant.why, 'bad');
  return stay({ ...ui, confirm: { question, wish: { do: 'run', ...meant } } });
}

function open(ui: Ui, kind: PagerKind, title: string, argv: readonly string[]): Step {
  const pager = newPager(kind, title, argv);
  return argv.length === 0 ? stay({ ...ui, pager }) : stay({ ...ui, pager }, { do: 'open', argv });
}
