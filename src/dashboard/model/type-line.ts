// The line a person types at the bottom: a filter, words to search for, or a prompt to an agent. Pure.

import type { Row } from './agent-row.ts';
import * as means from './commands-of.ts';
import type { Step } from './keys.ts';
import type { Entry, Ui } from './ui.ts';

const MOST_SENT = 50;

export function typeLine(ui: Ui, key: string, row: Row | null): Step {
  const entry = ui.entry!;
  if (key === 'escape' || key === 'ctrl-c') return { ui: { ...ui, entry: null }, wishes: [] };
  if (key === 'enter') return enter(ui, entry, row);
  const next = entry.kind === 'send' && (key === 'up' || key === 'down') ? recall(ui, entry, key) : edit(entry, key);
  const shown = { ...ui, entry: next };
  // A filter is seen while it is typed.
  return { ui: next.kind === 'filter' ? { ...shown, choice: { ...ui.choice, filter: next.text } } : shown, wishes: [] };
}

function enter(ui: Ui, { kind, text }: Entry, row: Row | null): Step {
  const done: Ui = { ...ui, entry: null };
  if (kind === 'filter') return { ui: { ...done, choice: { ...ui.choice, filter: text } }, wishes: [] };
  if (kind === 'search') {
    return { ui: { ...done, pager: ui.pager && { ...ui.pager, search: text, isFollowing: false } }, wishes: [] };
  }
  if (text.trim() === '' || row === null) return { ui: done, wishes: [] };
  const meant = means.send(row, text);
  if ('why' in meant) return { ui: { ...done, message: { text: meant.why, kind: 'bad' } }, wishes: [] };
  const sent = [...ui.sent.filter(each => each !== text), text].slice(-MOST_SENT);
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
      return isTyped(key) ? put([...left, ...key.replaceAll(/[\r\n]+/g, ' ')], right) : entry;
  }
}

const named = new Set(['up', 'down', 'pageup', 'pagedown', 'tab', 'enter', 'escape']);
const isTyped = (key: string): boolean => !named.has(key) && !/^ctrl-/.test(key);
