// The first line: how many need a person, run, wait and ended; tokens, cost, the watchdog's health, the clock. What
// does not fit is left out by importance. Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Colour, Paint } from '../../text/paint.ts';
import type { Row } from './agent-row.ts';
import { costText, tokensText } from './context-bar.ts';
import type { Seen } from './seen.ts';

const MOST_NOTE = 400;

type Part = { text: string; colour: Colour | null; weight: number };

export function headerLine(seen: Seen, rows: readonly Row[], o: { now: number; width: number; paint: Paint }): string {
  const { width, paint } = o;
  const left = [...counts(rows), ...trouble(seen)];
  const right = [...sums(rows), watchdogPart(seen), { text: clock(o.now), colour: null, weight: 5 }];
  const chosen = new Set(fitting([...left, ...right], width - 2));
  const show = (parts: readonly Part[]) => parts.filter(part => chosen.has(part));
  const plain = (parts: readonly Part[]) => parts.map(({ text }) => text).join('  ');
  const painted = (parts: readonly Part[]) =>
    parts.map(({ text, colour }) => (colour === null ? text : paint(colour, text))).join('  ');
  const [a, b] = [show(left), show(right)];
  const gap = Math.max(2, width - 2 - cellWidth(plain(a)) - cellWidth(plain(b)));
  return ` ${painted(a)}${b.length === 0 ? '' : `${' '.repeat(gap)}${painted(b)}`}`;
}

function fitting(parts: readonly Part[], width: number): Part[] {
  const chosen: Part[] = [];
  let left = width;
  for (const part of parts.toSorted((a, b) => b.weight - a.weight)) {
    const cells = cellWidth(part.text) + 2;
    if (cells > left + 2) continue;
    chosen.push(part);
    left -= cells;
  }
  return chosen;
}

function counts(rows: readonly Row[]): Part[] {
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  const needs = count(({ rank }) => rank === 'needs');
  const failed = count(({ rank, look }) => rank === 'ended' && look.colour === 'red');
  const done = count(({ look }) => look.word === 'done');
  const part = (text: string, number: number, colour: Colour, weight: number): Part[] =>
    number === 0 ? [] : [{ text: `${number} ${text}`, colour, weight }];
  return [
    needs === 0
      ? { text: 'nobody needs you', colour: 'green', weight: 9 }
      : { text: `● ${needs} need${needs === 1 ? 's' : ''} you`, colour: 'yellow', weight: 10 },
    ...part(
      'running',
      count(({ rank }) => rank === 'runs'),
      'cyan',
      9,
    ),
    ...part(
      'waiting',
      count(({ rank }) => rank === 'waits'),
      'dim',
      4,
    ),
    ...part('done', done, 'green', 6),
    ...part('failed', failed, 'red', 8),
  ];
}

function trouble({ tmux }: Seen): Part[] {
  return tmux === 'gone' ? [{ text: 'tmux is gone', colour: 'red', weight: 9.5 }] : [];
}

// A sum with unknown parts says so.
function sums(rows: readonly Row[]): Part[] {
  const claude = rows.filter(({ isClaude }) => isClaude);
  if (claude.length === 0) return [];
  const tokens = claude.map(({ context }) => context.tokens);
  const costs = claude.map(({ costUsd }) => costUsd);
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const isKnown = (values: readonly (number | null)[]) => values.some(value => value !== null);
  const more = (isMore: boolean) => (isMore ? '+?' : '');
  const isUnpaid = claude.some(({ unknownCosts }) => unknownCosts > 0);
  return [
    {
      text: `${isKnown(tokens) ? tokensText(sum(tokens)) + more(tokens.includes(null)) : '?'} tokens`,
      colour: null,
      weight: 3,
    },
    {
      text: isKnown(costs) ? `${costText(sum(costs))}${more(isUnpaid || costs.includes(null))}` : '$?',
      colour: null,
      weight: 3.5,
    },
  ];
}

function watchdogPart({ watchdog }: Seen): Part {
  const { state, status } = watchdog;
  if (state === 'off') return { text: 'watchdog off', colour: 'dim', weight: 2 };
  if (state === 'silent') return { text: 'watchdog silent', colour: 'red', weight: 8 };
  if (status?.paused_until) return { text: 'watchdog paused', colour: 'yellow', weight: 7 };
  return { text: 'watchdog ✔', colour: 'green', weight: 2 };
}

const clock = (now: number): string => new Date(now).toTimeString().slice(0, 5);

// One line an execution that is not over: how far it is, and what holds it up.
export function executionLine(seen: Seen['executions'][number], o: { width: number; paint: Paint }): string {
  const { status, hasEngine, id } = seen;
  const all = status.agents.length;
  const over = status.agents.filter(agent => !['pending', 'running', 'parked'].includes(agent.status)).length;
  const cells = 12;
  const filled = Math.round((over / Math.max(1, all)) * cells);
  const state =
    status.status !== 'running'
      ? status.status.replace('_', ' ')
      : !hasEngine
        ? 'no engine: C resumes'
        : status.paused
          ? 'paused'
          : status.phase;
  const colour: Colour = !hasEngine ? 'red' : status.paused ? 'yellow' : 'cyan';
  const text = fitCells(plainText(id), Math.max(8, o.width - 42));
  const note = status.note === null ? '' : `  ${plainText(status.note, { max: MOST_NOTE })}`;
  const bar = `${'━'.repeat(filled)}${'─'.repeat(cells - filled)}`;
  const line = ` ${text}  ${bar}  ${over}/${all}  ${state}${note}`;
  const fitted = fitCells(line, o.width);
  return fitted
    .replace(text, o.paint('bold', text))
    .replace(state, hasEngine && !status.paused ? state : o.paint(colour, state));
}
