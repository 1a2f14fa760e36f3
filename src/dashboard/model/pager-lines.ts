// A page of text: as much as fits, from where one stands or from the end, with what was searched for marked. Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth, fitCells } from '../../text/cell-width.ts';
import type { Colour } from '../../text/paint.ts';
import type { ConflictAt } from './conflict-at.ts';
import type { Frame } from './overview-lines.ts';
import type { Pager } from './ui.ts';
import type { PageLine } from './wrap-page.ts';

export type PagerView = { lines: string[]; room: number };

export function pagerLines(
  pager: Pager,
  sources: readonly string[],
  texts: readonly PageLine[],
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
  if (texts.length === 0) return { lines: [head, paint('dim', '  (nothing yet)')], room };
  const shown = texts.slice(top, top + room);
  return { lines: [head, ...shown.map(line => painted(line.text, sources[line.from] ?? '', pager, frame))], room };
}

// The most important first; what does not fit is left out.
function titleOf(parts: readonly string[], width: number): string {
  let title = '';
  for (const part of parts) if (part !== '' && cellWidth(`${title}  ${part}`) <= width) title += `  ${part}`;
  return title === '' ? ` ${parts[0]}` : title.slice(1);
}

// A part of a line has the colour of the whole.
function painted(text: string, whole: string, { kind, search }: Pager, { paint }: Frame): string {
  if (search !== '') {
    const at = text.toLowerCase().indexOf(search.toLowerCase());
    if (at >= 0) {
      const end = at + search.length;
      return ` ${text.slice(0, at)}${paint('inverse', text.slice(at, end))}${text.slice(end)}`;
    }
  }
  const colour = kind === 'diff' ? diffColour(whole) : kind === 'help' && /^\S/.test(whole) ? 'bold' : null;
  return ` ${colour === null ? text : paint(colour, text)}`;
}

function diffColour(text: string): Colour | null {
  if (/^(\+\+\+|---|diff |index )/.test(text)) return 'bold';
  if (text.startsWith('+')) return 'green';
  if (text.startsWith('-')) return 'red';
  return text.startsWith('@@') ? 'cyan' : null;
}
