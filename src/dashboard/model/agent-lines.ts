// The page of one agent as lines: what it asks, its screen, task, outputs and proofs, attempts, story. Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells, padCells } from '../../text/cell-width.ts';
import { clockText, spanText } from '../../text/span-text.ts';
import type { Row } from './agent-row.ts';
import { elapsedOf } from './choose-rows.ts';
import { contextBar, contextTone, costText, sparkline, tokensText } from './context-bar.ts';
import type { Detail } from './detail.ts';
import type { Frame } from './overview-lines.ts';
import { safePane } from './safe-pane.ts';
import { wrapLine } from './wrap-line.ts';

const MOST_TASK_LINES = 12;
const MOST_STORY = 40;
const LEAST_EXECUTION = 8; // fewer cells of its id tell nothing

export function agentLines(row: Row, detail: Detail | null, frame: Frame): string[] {
  return [
    titleLine(row, frame),
    ...(row.isClaude ? [contextLine(row, frame)] : []),
    ...questionLines(row, frame),
    ...paneLines(row, detail, frame),
    ...(detail === null
      ? []
      : [...taskLines(detail, frame), ...attemptLines(detail, frame), ...storyLines(detail, frame)]),
  ];
}

function titleLine(row: Row, { width, now, paint }: Frame): string {
  const elapsed = elapsedOf(row, now);
  const parts = [
    row.look.word,
    ...(row.handoff === null ? [] : [`handoff: ${row.handoff}`]),
    ...(row.attempt > 1 ? [`attempt ${row.attempt}`] : []),
    ...(elapsed === null ? [] : [spanText(elapsed)]),
    ...(row.isClaude ? [costText(row.costUsd)] : []),
    ...(row.heldBy === null ? [] : [`held by ${plainText(row.heldBy, { max: 40 })}`]),
    ...(row.pane === null ? [] : [row.pane]),
  ];
  const name = fitCells(plainText(row.name), Math.max(8, Math.floor(width / 2)));
  const room = Math.max(0, width - 5 - cellWidth(name));
  // The first says most; what does not fit is left out.
  const rest = parts.slice(1).reduce(
    (all, part) => {
      const longer = `${all} · ${part}`;
      return cellWidth(longer) <= room ? longer : all;
    },
    fitCells(parts[0]!, room),
  );
  // Who it is comes before where it belongs.
  const left = room - cellWidth(rest) - 2;
  const of = row.execution === null || left < LEAST_EXECUTION ? '' : `  ${fitCells(plainText(row.execution), left)}`;
  return ` ${paint(row.look.colour, row.look.sign)} ${paint('bold', name)}${paint('dim', of)}  ${paint(row.look.colour, rest)}`;
}

function contextLine(row: Row, { width, paint }: Frame): string {
  const { context } = row;
  const cells = Math.max(10, Math.min(40, Math.floor(width / 3)));
  const bar = contextBar(context, cells).map(part => paint(part.tone, part.text));
  const plain = `${tokensText(context.tokens)} of ${tokensText(context.threshold)}`;
  const whole = context.threshold === null ? `${plain} (threshold unknown)` : plain;
  const figures = whole.length + cells + 3 > width ? plain : whole;
  const room = width - cells - figures.length - 6;
  const curve = room < 8 ? '' : sparkline(row.history, Math.min(60, room), context);
  return fitAll([
    ' ',
    bar.join(''),
    ' ',
    paint(contextTone(context), fitCells(figures, width - cells - 3)),
    curve === '' ? '' : `  ${paint('cyan', curve)}`,
  ]);
}

const fitAll = (parts: readonly string[]): string => parts.join('');

export function questionLines({ question }: Row, { width, paint }: Frame): string[] {
  if (question === null) return [];
  const title = plainText(question.title.slice(0, 4000), { keepNewlines: true }).split('\n');
  return [
    '',
    paint('yellow', fitCells(` It asks (${question.kind}):`, width)),
    ...title.flatMap(line => wrapLine(line, width - 5)).map(line => paint('yellow', ` │ ${line}`)),
    ...question.options.flatMap(({ number, label }) =>
      wrapLine(plainText(label.slice(0, 1000)), width - 7).map((line, at) =>
        at === 0 ? `   ${paint('bold', String(number))}. ${line}` : `      ${line}`,
      ),
    ),
  ];
}

function paneLines(row: Row, detail: Detail | null, frame: Frame): string[] {
  const { width, height, paint } = frame;
  if (row.pane === null && detail?.pane == null) return [];
  const room = Math.max(5, Math.floor(height * 0.55));
  const all =
    detail?.pane == null ? [] : safePane(detail.pane, { width: width - 3, isColoured: paint('bold', '') !== '' });
  const shown = (all.length > room ? squeezed(all) : all).slice(-room);
  return [
    heading(`its screen${row.pane === null ? ' (gone)' : ''}`, frame),
    ...(shown.length === 0 ? [paint('dim', ' (not seen yet)')] : shown.map(line => `${paint('dim', ' ▏')}${line}`)),
  ];
}

// Claude Code keeps its box at the bottom; the empty rows above it are not worth the words they would push away.
const squeezed = (lines: readonly string[]): string[] =>
  lines.filter((line, at) => line.trim() !== '' || lines[at - 1]?.trim() !== '');

function taskLines({ request, outputs, checks }: Detail, frame: Frame): string[] {
  const { width, paint } = frame;
  if (request === null) return [];
  const task = plainText(request.task.description.slice(0, 20_000), { keepNewlines: true })
    .split('\n')
    .flatMap(line => wrapLine(line, width - 3));
  const cut = task.length > MOST_TASK_LINES ? [paint('dim', `  … ${task.length - MOST_TASK_LINES} more lines`)] : [];
  return [
    heading('task', frame),
    ...task.slice(0, MOST_TASK_LINES).map(line => `  ${line}`),
    ...cut,
    ...(outputs.length === 0 ? [] : [heading('outputs', frame)]),
    ...outputs.map(({ name, path, isThere }) =>
      fitPainted(isThere ? paint('green', '✔') : paint('dim', '·'), `${padCells(name, 16)} ${plainText(path)}`, width),
    ),
    ...(checks.length === 0 ? [] : [heading('success criteria', frame)]),
    ...checks.map(({ name, wanted, found, evidence, isMet }) => {
      const sign = isMet === null ? paint('dim', '?') : isMet ? paint('green', '✔') : paint('red', '✖');
      return fitPainted(
        sign,
        `${padCells(plainText(name), 28)} wanted ${plainText(wanted)}, found ${plainText(found)}  (${evidence})`,
        width,
      );
    }),
  ];
}

const fitPainted = (sign: string, text: string, width: number): string => `  ${sign} ${fitCells(text, width - 4)}`;

function attemptLines({ attempts }: Detail, frame: Frame): string[] {
  if (attempts.length === 0) return [];
  return [
    heading('attempts', frame),
    ...attempts.map(({ attempt, status, reason, seconds }) => {
      const time = seconds === null ? 'runs' : spanText(seconds * 1000);
      const sign =
        { success: frame.paint('green', '✔'), running: frame.paint('cyan', '▶') }[status] ?? frame.paint('red', '✖');
      return fitPainted(
        sign,
        `#${attempt} ${status}, ${time}${reason === null ? '' : `: ${plainText(reason.slice(0, 2000))}`}`,
        frame.width,
      );
    }),
  ];
}

function storyLines({ story }: Detail, frame: Frame): string[] {
  if (story.length === 0) return [];
  const shown = story.slice(-MOST_STORY).toReversed();
  return [
    heading('what happened, newest first', frame),
    ...shown.map(({ at, text }) =>
      fitCells(
        `  ${clockText(new Date(at).toISOString())}  ${plainText(text.slice(0, 2000), { max: 400 })}`,
        frame.width,
      ),
    ),
  ];
}

const heading = (text: string, { width, paint }: Frame): string =>
  paint('dim', fitCells(` ─ ${text} ${'─'.repeat(Math.max(0, width - text.length - 5))}`, width));
