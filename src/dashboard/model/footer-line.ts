// The last line: the keys that mean something here, the most useful first, as many as fit; or what is typed, asked
// or told just now. Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Paint } from '../../text/paint.ts';
import type { Row } from './agent-row.ts';
import type { Entry, Ui } from './ui.ts';

type Hint = readonly [key: string, word: string];

export function footerLine(ui: Ui, row: Row | null, o: { width: number; paint: Paint }): string {
  const { width, paint } = o;
  if (ui.entry !== null) return entryLine(ui.entry, row, o);
  if (ui.confirm !== null) return paint('yellow', fitCells(` ${ui.confirm.question} y / n`, width));
  if (ui.message !== null) {
    const colour = { info: 'cyan', good: 'green', bad: 'red' } as const;
    return paint(colour[ui.message.kind], fitCells(` ${plainText(ui.message.text, { max: 1000 })}`, width));
  }
  let line = '';
  let used = 1;
  for (const [key, word] of hints(ui, row)) {
    const cells = cellWidth(`${key} ${word}  `);
    if (used + cells > width) continue;
    line += `${paint('bold', key)} ${word}  `;
    used += cells;
  }
  return ` ${line.trimEnd()}`;
}

function hints(ui: Ui, row: Row | null): Hint[] {
  if (ui.pager !== null) {
    const take: Hint[] = ui.pager.kind === 'conflicts' ? [['1 2', 'take that side']] : [];
    const follow: Hint[] = ui.pager.kind === 'logs' ? [['f', ui.pager.isFollowing ? 'stop following' : 'follow']] : [];
    return [...take, ['q', 'back'], ...follow, ['/', 'search'], ['n', 'next'], ['space', 'page'], ['G', 'end']];
  }
  const asked: Hint[] = row?.question ? [['y n 1-9', 'answer']] : [];
  const lost: Hint[] = row?.look.word === 'no engine' ? [['C', 'resume']] : [];
  const conflict: Hint[] = row?.look.word === 'conflict' ? [['m', 'decide']] : [];
  const zoom: Hint = ui.zoom === 'overview' ? ['enter', 'zoom'] : ['esc', 'back'];
  return [
    ...asked,
    ...lost,
    ...conflict,
    ['?', 'keys'],
    ['q', 'quit'],
    zoom,
    ['a', 'attach'],
    ['s', 'send'],
    ['l', 'logs'],
    ['d', 'diff'],
    ['h', 'hand off'],
    ['H', row?.heldBy ? 'release' : 'hold'],
    ['tab', ui.zoom === 'graph' ? 'list' : 'graph'],
    ['/', 'filter'],
    ['!', ui.choice.onlyNeeds ? 'all' : 'who needs me'],
    ['o', 'sort'],
    ['v', 'watch'],
    ['p', row?.isPaused ? 'unpause' : 'pause'],
    ['R', 'retry'],
    ['x', 'cancel'],
    ['m', 'conflicts'],
    ['r', 'report'],
    ['A', 'archive'],
  ];
}

function entryLine(entry: Entry, row: Row | null, { width, paint }: { width: number; paint: Paint }): string {
  const label = { filter: '/', search: 'search: ', send: `to ${fitCells(row?.name ?? '?', 20)}: ` }[entry.kind];
  const room = width - cellWidth(label) - 2;
  const points = [...plainText(entry.text)];
  const left = points.slice(0, entry.cursor);
  // The cursor stays in sight: what is left of it goes first.
  while (cellWidth(left.join('')) > Math.max(0, room - 1)) left.shift();
  const at = points[entry.cursor] ?? ' ';
  const after = fitCells(points.slice(entry.cursor + 1).join(''), room - cellWidth(left.join('')) - cellWidth(at));
  return ` ${paint('bold', label)}${left.join('')}${paint('inverse', at)}${after}`;
}

export const helpLines: readonly string[] = [
  'Moving',
  '  ↑ ↓ or j k       one row; PgUp PgDn, Home End, g G: further; the mouse works too',
  '  Enter or →       the agent: its screen, task, proofs, attempts and story',
  '  Tab              the graph of who waits for whom; Tab again: the list',
  '  Esc or ←         back',
  '  /                filter by any words; Esc takes it away',
  '  o                sort: time, name, context, cost, elapsed',
  '  !                only those who need me',
  '',
  'Stepping in (each is a command of the command line)',
  '  a                attach: the real tmux session; Ctrl-Q or prefix d comes back   baton attach',
  '  v                watch it, typing nothing                                       baton attach -r',
  '  s                send a prompt, with its receipt; ↑ earlier ones                baton send',
  '  y n 1-9          answer the question that is shown                              baton answer',
  '  h                hand off now                                                   baton handoff',
  '  H                hold: you have control; again: release                         baton hold, unhold',
  '  R                retry it and its dependents                                    baton retry',
  '  x                cancel the execution                                           baton cancel',
  '  p                pause and resume starting new agents                           baton pause, unpause',
  '  C                go on with an execution whose engine is gone                   baton resume',
  '  m                merge conflicts side by side, and choose                       baton conflicts, merge',
  '  A                archive the handoff document of this folder                    baton archive',
  '',
  'Reading',
  '  l                logs; f follows, / searches, n N next and previous             baton logs',
  '  d                what it changed                                                baton diff',
  '  r                the report                                                     baton report',
  '',
  '  Ctrl-L           draw the screen again',
  '  Ctrl-Z           suspend; fg comes back',
  '  q                quit: nothing stops',
];
