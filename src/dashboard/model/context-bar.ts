// How full a session is, as a bar with a mark where the handoff fires, and as a curve over time. Pure.

import type { Tone } from '../../text/paint.ts';
import type { Context } from './agent-row.ts';
import type { Point } from './seen.ts';

export { costText, tokensText } from '../../text/token-text.ts';

export type BarPart = { text: string; tone: Tone };

const ROOM_ABOVE = 1.25; // the bar goes on behind the mark, so that "over it" can be seen
const UNKNOWN_WINDOW = 200_000;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const limitOf = ({ threshold, window }: Context): number => threshold ?? window ?? UNKNOWN_WINDOW;

export function contextTone(context: Context): Tone {
  if (context.tokens === null) return 'dim';
  const level = context.tokens / limitOf(context);
  return { level, from: level, to: level };
}

export const scaleOf = ({ tokens, threshold, window }: Context): number =>
  Math.max(threshold === null ? (window ?? UNKNOWN_WINDOW) : threshold * ROOM_ABOVE, tokens ?? 0, 1);

export function contextBar(context: Context, cells: number): BarPart[] {
  const { tokens, threshold } = context;
  if (cells <= 0) return [];
  if (tokens === null) return [{ text: '?'.padStart(Math.ceil(cells / 2), '·').padEnd(cells, '·'), tone: 'dim' }];
  const scale = scaleOf(context);
  const filled = Math.min(cells, (tokens / scale) * cells);
  const whole = Math.floor(filled);
  const rest = EIGHTHS[Math.floor((filled - whole) * 8)]!;
  const full = whole + (rest === '' ? 0 : 1);
  const bar = `${'█'.repeat(whole)}${rest}`.padEnd(cells, '░');
  const mark = threshold === null ? cells : Math.min(cells - 1, Math.floor((threshold / scale) * cells));
  const level = tokens / limitOf(context);
  const shareAt = (cell: number) => Math.min(level, ((cell + 1) / cells) * (scale / limitOf(context)));
  const hot = (from: number, to: number): BarPart => ({
    text: bar.slice(from, to),
    tone: { level, from: shareAt(from), to: shareAt(to - 1) },
  });
  const cold = (from: number, to: number): BarPart => ({ text: bar.slice(from, to), tone: 'dim' });
  const parts = [
    hot(0, Math.min(full, mark)),
    cold(Math.min(full, mark), mark),
    { text: mark < cells ? '┃' : '', tone: 'bold' as const },
    hot(mark + 1, Math.max(full, mark + 1)),
    cold(Math.max(full, mark + 1), cells),
  ];
  return parts.filter(part => part.text !== '');
}

// The highest point of each stretch, and after a drop the fall itself: a handoff is never averaged away.
export function sparkline(history: readonly Point[], cells: number, context: Context): string {
  if (history.length === 0 || cells <= 0) return '';
  const shown = history.length <= cells ? history.map(({ tokens }) => tokens) : buckets(history, cells);
  // Without a threshold there is nothing to compare with but the curve itself.
  const highest = Math.max(context.threshold ?? 1, ...shown);
  return shown.map(tokens => LEVELS[Math.min(7, Math.floor((tokens / highest) * 8))]!).join('');
}

function buckets(history: readonly Point[], cells: number): number[] {
  return Array.from({ length: cells }, (_, at) => {
    const from = Math.floor((at * history.length) / cells);
    const to = Math.max(from + 1, Math.floor(((at + 1) * history.length) / cells));
    const part = history.slice(from, to).map(({ tokens }) => tokens);
    const before = history[from - 1]?.tokens;
    const low = Math.min(...part);
    return before !== undefined && low < before / 2 ? low : Math.max(...part);
  });
}
