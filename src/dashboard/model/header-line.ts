// The first line: how many need a person, run, wait and ended; tokens, cost, the watchdog's health, the clock. What
// does not fit is left out by importance. Pure.

import { plainText } from '../../files/plain-text.ts';
import type { Status } from '../../protocol/status.ts';
import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Colour, Paint } from '../../text/paint.ts';
import { counted } from '../../text/span-text.ts';
import type { Row } from './agent-row.ts';
import { costText, tokensText } from './context-bar.ts';
import type { Seen } from './seen.ts';

const MOST_NOTE = 400;
const MOST_ERROR = 40; // `baton watchdog status` has all of it
const ERROR_MS = 10 * 60 * 1000; // what was long ago is in its log

type Part = { text: string; colour: Colour | null; weight: number };

export function headerLine(seen: Seen, rows: readonly Row[], o: { now: number; width: number; paint: Paint }): string {
  const { width, paint } = o;
  const left = [...counts(rows), ...trouble(seen)];
  const right = [...sums(rows), watchdogPart(seen, o.now), { text: clock(o.now), colour: null, weight: 5 }];
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

function watchdogPart({ watchdog }: Seen, now: number): Part {
  const { state, status } = watchdog;
  if (state === 'off') return { text: 'watchdog off', colour: 'dim', weight: 2 };
  if (state === 'silent') return { text: 'watchdog silent', colour: 'red', weight: 8 };
  if (status?.paused_until) return { text: 'watchdog paused', colour: 'yellow', weight: 7 };
  if (status?.last_error && now - Date.parse(status.last_error.at) < ERROR_MS) {
    const words = plainText(status.last_error.message.slice(0, MOST_NOTE * 4), { max: MOST_ERROR });
    return { text: `watchdog: ${words}`, colour: 'red', weight: 7 };
  }
  return { text: 'watchdog ✔', colour: 'green', weight: 2 };
}

const clock = (now: number): string => new Date(now).toTimeString().slice(0, 5);

const verdicts: Record<Exclude<Status['status'], 'running'>, { sign: string; colour: Colour }> = {
  success: { sign: '✔', colour: 'green' },
  partial_success: { sign: '≈', colour: 'yellow' },
  failure: { sign: '✖', colour: 'red' },
  timeout: { sign: '✖', colour: 'red' },
  cancelled: { sign: '-', colour: 'dim' },
};

// One line an execution: how far it is and what holds it up, or what came of it.
export function executionLine(seen: Seen['executions'][number], o: { width: number; paint: Paint }): string {
  const { status, id } = seen;
  const all = status.agents.length;
  const over = status.agents.filter(agent => !['pending', 'running', 'parked'].includes(agent.status)).length;
  const cells = 12;
  const filled = Math.round((over / Math.max(1, all)) * cells);
  const { state, colour } = executionState(seen);
  const name = fitCells(id, Math.max(8, o.width - 42));
  const bar = `${'━'.repeat(filled)}${'─'.repeat(cells - filled)}  ${over}/${all}`;
  const head = ` ${name}  ${bar}  `;
  if (cellWidth(head) >= o.width) return o.paint('bold', fitCells(` ${id}  ${state}`, o.width));
  const rest = fitCells(state, o.width - cellWidth(head));
  return ` ${o.paint('bold', name)}  ${bar}  ${colour === null ? rest : o.paint(colour, rest)}`;
}

function executionState({ status, hasEngine, conflicts }: Seen['executions'][number]) {
  const note = status.note === null ? '' : `  ${plainText(status.note.slice(0, MOST_NOTE * 4), { max: MOST_NOTE })}`;
  if (status.status !== 'running') {
    const { sign, colour } = verdicts[status.status];
    const open = conflicts.length === 0 ? 'r shows its report' : `${counted(conflicts.length, 'conflict')} left: m`;
    return { state: `${sign} ${status.status.replace('_', ' ')}  ${open}`, colour };
  }
  if (!hasEngine) return { state: `no engine: C resumes${note}`, colour: 'red' as const };
  if (status.paused) return { state: `paused${note}`, colour: 'yellow' as const };
  return { state: `${status.phase}${note}`, colour: null };
}
