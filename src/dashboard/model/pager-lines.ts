// A page of text: as much as fits, from where one stands or from the end, with what was searched for marked. Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Colour } from '../../text/paint.ts';
import type { ConflictAt } from './conflict-at.ts';
import type { Frame } from './overview-lines.ts';
import type { Pager } from './ui.ts';
import { wrapLine } from './wrap-line.ts';

export type PagerView = { lines: string[]; total: number; room: number };

export function pagerLines(
  pager: Pager,
  texts: readonly string[],
  frame: Frame & { conflict: ConflictAt | null },
): PagerView {
  const { width, height, paint, conflict } = frame;
  const room = Math.max(1, height - 1);
  const bottom = Math.max(0, texts.length - room);
  const top = pager.isFollowing ? bottom : Math.min(pager.top, bottom);
  const where = texts.length === 0 ? '' : `lines ${top + 1}-${Math.min(texts.length, top + room)} of ${texts.length}`;
  const follow = pager.isFollowing ? 'following' : '';
  const which = conflict === null ? '' : `${conflict.at + 1} of ${conflict.all.length}`;
  const title = [
    pager.kind,
    pager.title,
    which,
    conflict === null || bottom > 0 ? where : '',
    follow,
    pager.search === '' ? '' : `"${pager.search}"`,
  ];
  const head = paint(
    'bold',
    fitCells(
      titleOf(
        title.map(part => plainText(part)),
        width - 1,
      ),
      width,
    ),
  );
  if (texts.length === 0) return { lines: [head, paint('dim', '  (nothing yet)')], total: 0, room };
  // Logs are words: they are wrapped, and at their end the newest stay in sight.
  const isWrapped = pager.kind === 'logs';
  const shown = texts.slice(top, top + room).flatMap(text => {
    const parts = isWrapped ? wrapLine(text, width - 1) : [fitCells(text, width - 1)];
    return parts.map(part => painted(part, pager, frame));
  });
  const lines = top >= bottom ? shown.slice(-room) : shown.slice(0, room);
  return { lines: [head, ...lines], total: texts.length, room };
}

// The most important first; what does not fit is left out.
function titleOf(parts: readonly string[], width: number): string {
  let title = '';
  for (const part of parts) if (part !== '' && cellWidth(`${title}  ${part}`) <= width) title += `  ${part}`;
  return title === '' ? ` ${parts[0]}` : title.slice(1);
}

function painted(text: string, { kind, search }: Pager, { paint }: Frame): string {
  if (search !== '') {
    const at = text.toLowerCase().indexOf(search.toLowerCase());
    if (at >= 0) {
      const end = at + search.length;
      return ` ${text.slice(0, at)}${paint('inverse', text.slice(at, end))}${text.slice(end)}`;
    }
  }
  const colour = kind === 'diff' ? diffColour(text) : kind === 'help' && /^\S/.test(text) ? 'bold' : null;
  return ` ${colour === null ? text : paint(colour, text)}`;
}

function diffColour(text: string): Colour | null {
  if (/^(\+\+\+|---|diff |index )/.test(text)) return 'bold';
  if (text.startsWith('+')) return 'green';
  if (text.startsWith('-')) return 'red';
  return text.startsWith('@@') ? 'cyan' : null;
}
