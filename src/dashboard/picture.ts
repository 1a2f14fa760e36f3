// A screen as tmux captured it (capture-pane -p -e) → an SVG picture of it. Pure. Used by docs/pictures/make.mjs.

import { plainText } from '../files/plain-text.ts';
import { cellWidth } from '../text/cell-width.ts';

const [CELL, LINE, EDGE] = [8.4, 18, 14];
const sheets = {
  dark: { back: '#16181d', front: '#d6d9e0' },
  light: { back: '#ffffff', front: '#24292f' },
};
// The sixteen as xterm has them: what a terminal without a theme of its own shows.
const palette = [
  ...['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5'],
  ...['#7f7f7f', '#ff0000', '#00ff00', '#ffff00', '#5c5cff', '#ff00ff', '#00ffff', '#ffffff'],
];

type Look = { colour: string | null; isBold: boolean; isDim: boolean; isInverse: boolean };
type Sheet = (typeof sheets)['dark'];
const plain: Look = { colour: null, isBold: false, isDim: false, isInverse: false };

export function screenPicture(
  capture: string,
  columns: number,
  title: string,
  on: keyof typeof sheets = 'dark',
): string {
  const sheet = sheets[on];
  const lines = capture.replace(/\n+$/, '').split('\n');
  const [width, height] = [columns * CELL + 2 * EDGE, lines.length * LINE + 2 * EDGE];
  // tmux says a colour once: it goes on over the ends of lines.
  let look = plain;
  const texts = lines.flatMap((line, row) => {
    const { parts, last } = spans(line, EDGE + (row + 0.75) * LINE, look, sheet);
    look = last;
    return parts;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="${escapeText(title).replaceAll('\u00a0', ' ')}">`,
    `<rect width="100%" height="100%" rx="8" fill="${sheet.back}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function spans(line: string, y: number, first: Look, sheet: Sheet): { parts: string[]; last: Look } {
  let look = first;
  let column = 0;
  const parts = line.split(/\x1b\[([0-9;]*)m/).flatMap((part, at) => {
    if (at % 2 === 1) {
      look = next(look, part);
      return [];
    }
    const text = plainText(part);
    const cells = cellWidth(text);
    const x = EDGE + column * CELL;
    column += cells;
    return text.trim() === '' && !look.isInverse ? [] : [span(text, { x, y, cells }, look, sheet)];
  });
  return { parts, last: look };
}

type Place = { x: number; y: number; cells: number };

function span(text: string, { x, y, cells }: Place, look: Look, { back, front }: Sheet): string {
  const length = (cells * CELL).toFixed(1);
  const colour = look.colour ?? front;
  const box = look.isInverse
    ? `<rect x="${x.toFixed(1)}" y="${(y - LINE * 0.75).toFixed(1)}" width="${length}" height="${LINE}" fill="${colour}"/>`
    : '';
  const style = `fill="${look.isInverse ? back : colour}"${look.isBold ? ' font-weight="bold"' : ''}${look.isDim ? ' opacity="0.6"' : ''}`;
  return `${box}<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${style}>${escapeText(text)}</text>`;
}

function next(look: Look, codes: string): Look {
  let now = look;
  const rest = (codes === '' ? '0' : codes).split(';').map(Number);
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 0) now = plain;
    else if (code === 1) now = { ...now, isBold: true };
    else if (code === 2) now = { ...now, isDim: true };
    else if (code === 22) now = { ...now, isBold: false, isDim: false };
    else if (code === 7) now = { ...now, isInverse: true };
    else if (code === 27) now = { ...now, isInverse: false };
    else if (code === 39) now = { ...now, colour: null };
    else if (code === 38 && rest[0] === 2) now = { ...now, colour: `rgb(${rest.splice(0, 4).slice(1).join(',')})` };
    else if (code >= 30 && code <= 37) now = { ...now, colour: palette[code - 30]! };
    else if (code >= 90 && code <= 97) now = { ...now, colour: palette[code - 82]! };
  }
  return now;
}

// Spaces that no viewer folds together.
const escapeText = (text: string): string =>
  text
    .replaceAll(' ', '\u00a0')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
