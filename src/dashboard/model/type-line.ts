// The line a person types at the bottom: a filter, words to search for, or a prompt to an agent. Pure.

import * as means from './commands-of.ts';
import type { Key, Screen, Step } from './keys.ts';
import { findFirst } from './page-keys.ts';
import type { Entry, Ui } from './ui.ts';

const MOST_SENT = 50;

export function typeLine(ui: Ui, key: Key, screen: Screen): Step {
  const entry = ui.entry!;
  if (key === 'escape' || key === 'ctrl-c') return { ui: { ...ui, entry: null }, wishes: [] };
  if (key === 'enter') return enter(ui, entry, screen);
  const next =
    typeof key !== 'string'
      ? insert(entry, pasted(key.paste))
      : entry.kind === 'send' && (key === 'up' || key === 'down')
        ? recall(ui, entry, key)
        : edit(entry, key);
  const shown = { ...ui, entry: next };
  // A filter is seen while it is typed.
  return { ui: next.kind === 'filter' ? { ...shown, choice: { ...ui.choice, filter: next.text } } : shown, wishes: [] };
}

function enter(ui: Ui, { kind, text, to }: Entry, screen: Screen): Step {
  const done: Ui = { ...ui, entry: null };
  if (kind === 'filter') return { ui: { ...done, choice: { ...ui.choice, filter: text } }, wishes: [] };
  if (kind === 'search') return findFirst(done, text, screen);
  if (text.trim() === '' || to === null) return { ui: done, wishes: [] };
  // Kept in any case: nobody has to write it again.
  const sent = [...ui.sent.filter(each => each !== text), text].slice(-MOST_SENT);
  const row = screen.all.find(({ key }) => key === to.key);
  const meant = row === undefined ? { why: `${to.name} is gone; nothing was sent` } : means.send(row, text);
  if ('why' in meant) return { ui: { ...done, sent, message: { text: meant.why, kind: 'bad' } }, wishes: [] };
  return {
    ui: { ...done, sent, message: { text: `${meant.label} …`, kind: 'info' } },
    wishes: [{ do: 'run', ...meant }],
  };
}

function recall({ sent }: Ui, entry: Entry, key: 'up' | 'down'): Entry {
  const back = Math.max(0, Math.min(sent.length, entry.back + (key === 'up' ? 1 : -1)));
  const text = back === 0 ? '' : sent.at(-back)!;
  return { ...entry, back, text, cursor: [...text].length };
}

function edit(entry: Entry, key: string): Entry {
  const points = [...entry.text];
  const { cursor } = entry;
  const put = (left: string[], right: string[]): Entry => ({
    ...entry,
    text: [...left, ...right].join(''),
    cursor: left.length,
  });
  const [left, right] = [points.slice(0, cursor), points.slice(cursor)];
  switch (key) {
    case 'left':
      return put(points.slice(0, Math.max(0, cursor - 1)), points.slice(Math.max(0, cursor - 1)));
    case 'right':
      return put(points.slice(0, cursor + 1), points.slice(cursor + 1));
    case 'home':
    case 'ctrl-a':
      return put([], points);
    case 'end':
    case 'ctrl-e':
      return put(points, []);
    case 'backspace':
      return put(left.slice(0, -1), right);
    case 'delete':
      return put(left, right.slice(1));
    case 'ctrl-u':
      return put([], right);
    case 'ctrl-k':
      return put(left, []);
    case 'ctrl-w':
      return put([...left.join('').replace(/\S*\s*$/, '')], right);
    default:
      return isTyped(key) ? insert(entry, key) : entry;
  }
}

function insert(entry: Entry, text: string): Entry {
  const points = [...entry.text];
  const [left, right] = [points.slice(0, entry.cursor), points.slice(entry.cursor)];
  return { ...entry, text: [...left, text, ...right].join(''), cursor: left.length + [...text].length };
}

// One line, without what a terminal would obey.
const pasted = (text: string): string =>
  text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '');

const named = new Set(['up', 'down', 'pageup', 'pagedown', 'tab', 'enter', 'escape']);
const isTyped = (key: string): boolean => !named.has(key) && !/^ctrl-/.test(key);
