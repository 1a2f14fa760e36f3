// The page of all keys, laid out for a width: the commands beside the keys where there is room for them. Pure.

import { cellWidth, padCells } from '../../text/cell-width.ts';
import { wrapLine } from './wrap-line.ts';

type Help = readonly [keys: string, what: string, command?: string];

const parts: readonly (readonly [title: string, keys: readonly Help[]])[] = [
  [
    'Moving',
    [
      ['↑ ↓ or j k', 'one row; PgUp PgDn, Home End, g G: further; or the mouse'],
      ['Enter or →', 'the agent: its screen, task, proofs, attempts and story'],
      ['Tab or D', 'the graph of who waits for whom; Tab again: the list'],
      ['Esc or ←', 'back; so does Backspace'],
      ['/', 'filter by any words; Esc takes it away'],
      ['o', 'sort: time, name, context, cost, elapsed'],
      ['!', 'only those who need me'],
    ],
  ],
  [
    'Stepping in (each is a command of the command line)',
    [
      ['a', 'attach: the real tmux session; Ctrl-Q or prefix d comes back', 'baton attach'],
      ['v', 'watch it, typing nothing', 'baton attach -r'],
      ['s', 'send a prompt, with its receipt; ↑ earlier ones', 'baton send'],
      ['y n 1-9', 'show the question, and once it is shown answer it', 'baton answer'],
      ['h', 'hand off now', 'baton handoff'],
      ['H', 'hold: you have control; again: release', 'baton hold, unhold'],
      ['R', 'retry it and its dependents', 'baton retry'],
      ['x', 'cancel the execution', 'baton cancel'],
      ['p', 'pause and resume starting new agents', 'baton pause, unpause'],
      ['C', 'go on with an execution whose engine is gone', 'baton resume'],
      ['m', 'conflicts side by side; Tab: another, a number takes a side', 'baton conflicts, merge'],
      ['A', 'archive its handoff document and begin a fresh one', 'baton archive'],
    ],
  ],
  [
    'Reading',
    [
      ['l', 'logs; f follows, / searches, n N next and previous', 'baton logs'],
      ['d', 'what it changed', 'baton diff'],
      ['r', 'the report', 'baton report'],
    ],
  ],
  [
    'Leaving',
    [
      ['Ctrl-L', 'draw the screen again'],
      ['Ctrl-Z', 'suspend; fg comes back'],
      ['q', 'quit: nothing stops'],
    ],
  ],
];

const KEYS = 13;
const WHAT = 62;

export function helpLines(width: number): string[] {
  const hasCommands = width >= KEYS + WHAT + 28;
  const room = hasCommands ? WHAT - 2 : Math.max(10, width - KEYS - 1);
  return parts.flatMap(([title, keys], at) => [
    ...(at === 0 ? [] : ['']),
    title,
    ...keys.flatMap(([key, what, command]) =>
      wrapLine(what, room).map((line, row) => {
        const start = `  ${padCells(row === 0 ? key : '', KEYS - 2)}`;
        const isBeside = hasCommands && row === 0 && command !== undefined;
        return isBeside ? `${start}${line}${' '.repeat(WHAT - cellWidth(line))}${command}` : `${start}${line}`;
      }),
    ),
  ]);
}
