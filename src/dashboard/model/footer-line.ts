// The last lines: the keys that mean something here, as many as fit; or what is typed, asked or told just now. Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Paint } from '../../text/paint.ts';
import type { Row } from './agent-row.ts';
import * as means from './commands-of.ts';
import type { ConflictAt } from './conflict-at.ts';
import type { Screen } from './keys.ts';
import type { Entry, Pager, Ui } from './ui.ts';
import { wrapLine } from './wrap-line.ts';

type Hint = readonly [key: string, word: string];
type Shown = { screen: Pick<Screen, 'conflict' | 'selected' | 'isAsked' | 'rows'> };

// What is asked or told just now, whole: an answer that is cut is none. At most a third of the screen.
export function saidLines(ui: Ui, { width, height }: { width: number; height: number }): string[] {
  if (ui.entry !== null || (ui.confirm ?? ui.message) === null) return [];
  const [most, room] = [Math.max(1, Math.floor(height / 3)), Math.max(1, width - 1)];
  const [text, answers] = ui.confirm === null ? [ui.message!.text, ''] : [ui.confirm.question, ' y / n'];
  const plain = plainText(text, { max: 1000 });
  const whole = wrapLine(plain + answers, room);
  if (whole.length <= most) return whole;
  // Whatever of a question has to be cut, how to answer it stays.
  const lines = wrapLine(plain, room);
  const last = fitCells(lines.slice(most - 1).join(' '), room - answers.length);
  return [...lines.slice(0, most - 1), `${last}${answers}`];
}

export function footerLines(
  ui: Ui,
  said: readonly string[],
  { screen }: Shown,
  o: { width: number; paint: Paint },
): string[] {
  if (ui.entry !== null) return [entryLine(ui.entry, o)];
  if (said.length > 0) {
    const colour =
      ui.confirm === null ? ({ info: 'cyan', good: 'green', bad: 'red' } as const)[ui.message!.kind] : 'yellow';
    return said.map(line => o.paint(colour, ` ${line}`));
  }
  return [hintLine(ui.pager === null ? hintsOf(ui, screen) : pageHints(ui.pager, screen.conflict), o)];
}

// The most useful first; what does not fit is left out, never cut.
function hintLine(hints: readonly Hint[], { width, paint }: { width: number; paint: Paint }): string {
  let line = '';
  let used = 1;
  for (const [key, word] of hints) {
    const cells = cellWidth(`${key} ${word}`);
    if (used + cells > width) continue;
    line += `${paint('bold', key)} ${word}  `;
    used += cells + 2;
  }
  return ` ${line.trimEnd()}`;
}

function pageHints({ kind, isFollowing }: Pager, conflict: ConflictAt | null): Hint[] {
  const sides: Hint[] = (conflict?.agents ?? []).slice(0, 9).map((agent, at) => [String(at + 1), `take ${agent}`]);
  const others: Hint[] = conflict === null || conflict.all.length < 2 ? [] : [['tab', 'next conflict']];
  const follow: Hint[] = kind === 'logs' ? [['f', isFollowing ? 'stop following' : 'follow']] : [];
  return [
    ['q', 'back'],
    ...sides,
    ...others,
    ...follow,
    ['/', 'search'],
    ['n', 'next'],
    ['space', 'page'],
    ['G', 'end'],
  ];
}

// Only what would do something for this row; of one that ended, what came of it first.
function hintsOf(ui: Ui, { selected: row, isAsked, rows }: Shown['screen']): Hint[] {
  const when = (is: boolean, key: string, word: string): Hint[] => (is ? [[key, word]] : []);
  const isOwn = row !== null && row.execution !== null;
  const isLive = row !== null && means.isLive(row);
  const isSession = isLive && row.isClaude;
  const isFirst = ui.zoom === 'overview';
  const isOver = row?.rank === 'ended';
  return [
    ...when(isFirst && row?.rank !== 'needs' && rows[0]?.rank === 'needs', 'g', 'who needs you'),
    ...when(row?.question != null && isAsked, answerKeys(row), 'answer'),
    ...when(row?.question != null && !isAsked, 'enter', 'what it asks'),
    ...when(row?.look.word === 'no engine', 'C', 'resume'),
    ...when(row?.look.word === 'conflict', 'm', 'decide'),
    ['?', 'keys'],
    isFirst ? ['q', 'quit'] : ['esc', 'back'],
    ...when(isOver && isOwn, 'r', 'report'),
    ...when(isFirst && row !== null && row.question === null, 'enter', 'zoom'),
    ...when(isLive, 'a', 'attach'),
    ...when(isOwn && isSession, 's', 'send'),
    ...when(isOwn, 'l', 'logs'),
    ...when(isOwn, 'd', 'diff'),
    ...when(!isOver && isOwn, 'r', 'report'),
    ...when(isSession, 'h', 'hand off'),
    ...when(isOwn && isSession, 'H', row?.heldBy ? 'release' : 'hold'),
    ...when(isOwn, 'tab', ui.zoom === 'graph' ? 'list' : 'graph'),
    ...when(isFirst, '/', 'filter'),
    ...when(isFirst, '!', ui.choice.onlyNeeds ? 'all' : 'who needs me'),
    ...when(isFirst, 'o', 'sort'),
    ...when(isLive, 'v', 'watch'),
    ...when(isOwn, 'R', 'retry'),
    ...when(isOwn && !isOver, 'p', row?.isPaused ? 'unpause' : 'pause'),
    ...when(isOwn && !isOver, 'x', 'cancel'),
    ...when(row !== null, 'A', 'archive'),
    ...when(!isFirst, 'q', 'quit'),
  ];
}

// "y n 1-3", or the numbers alone where no option is a plain yes or no.
function answerKeys(row: Row | null): string {
  if (row === null || row.question === null) return '';
  const words = ['y', 'n'].filter(key => 'argv' in means.answer(row, key));
  const numbers = row.question.options.map(({ number }) => number).filter(number => number <= 9);
  const range = numbers.length < 2 ? numbers : [`${Math.min(...numbers)}-${Math.max(...numbers)}`];
  return [...words, ...range].join(' ');
}

function entryLine(entry: Entry, { width, paint }: { width: number; paint: Paint }): string {
  const label = { filter: '/', search: 'search: ', send: `to ${fitCells(plainText(entry.to?.name ?? '?'), 20)}: ` }[
    entry.kind
  ];
  const room = width - cellWidth(label) - 2;
  const points = [...plainText(entry.text)];
  const left = points.slice(0, entry.cursor);
  // The cursor stays in sight: what is left of it goes first.
  while (cellWidth(left.join('')) > Math.max(0, room - 1)) left.shift();
  const at = points[entry.cursor] ?? ' ';
  const after = fitCells(points.slice(entry.cursor + 1).join(''), room - cellWidth(left.join('')) - cellWidth(at));
  return ` ${paint('bold', label)}${left.join('')}${paint('inverse', at)}${after}`;
}
