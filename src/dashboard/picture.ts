// A screen as tmux captured it (capture-pane -p -e) → an SVG picture of it. Pure. Used by docs/pictures/make.mjs.

import { plainText } from '../files/plain-text.ts';
import { cellWidth } from '../text/cell-width.ts';

const [CELL, LINE, EDGE] = [8.4, 18, 14];
const back = '#16181d';
const front = '#d6d9e0';
const palette = ['#3b4048', '#e5646b', '#8bc66f', '#e3b95b', '#6aa9f0', '#c68ae0', '#57b9c6', '#d6d9e0'];

type Look = { colour: string; isBold: boolean; isDim: boolean; isInverse: boolean };
const plain: Look = { colour: front, isBold: false, isDim: false, isInverse: false };

export function screenPicture(capture: string, columns: number, title: string): string {
  const lines = capture.replace(/\n+$/, '').split('\n');
  const [width, height] = [columns * CELL + 2 * EDGE, lines.length * LINE + 2 * EDGE];
  const texts = lines.flatMap((line, row) => spans(line, EDGE + (row + 0.75) * LINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="${escapeText(title).replaceAll('\u00a0', ' ')}">`,
    `<rect width="100%" height="100%" rx="8" fill="${back}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function spans(line: string, y: number): string[] {
  let look = plain;
  let column = 0;
  return line.split(/\x1b\[([0-9;]*)m/).flatMap((part, at) => {
    if (at % 2 === 1) {
      look = next(look, part);
      return [];
    }
    const text = plainText(part);
    const cells = cellWidth(text);
    const x = EDGE + column * CELL;
    column += cells;
    return text.trim() === '' && !look.isInverse ? [] : [span(text, { x, y, cells }, look)];
  });
}

function span(text: string, { x, y, cells }: { x: number; y: number; cells: number }, look: Look): string {
  const length = (cells * CELL).toFixed(1);
  const box = look.isInverse
    ? `<rect x="${x.toFixed(1)}" y="${(y - LINE * 0.75).toFixed(1)}" width="${length}" height="${LINE}" fill="${look.colour}"/>`
    : '';
  const style = `fill="${look.isInverse ? back : look.colour}"${look.isBold ? ' font-weight="bold"' : ''}${look.isDim ? ' opacity="0.6"' : ''}`;
  return `${box}<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${style}>${escapeText(text)}</text>`;
}

function next(look: Look, codes: string): Look {
  let now = look;
  for (const code of (codes === '' ? '0' : codes).split(';').map(Number)) {
    if (code === 0) now = plain;
    else if (code === 1) now = { ...now, isBold: true };
    else if (code === 2) now = { ...now, isDim: true };
    else if (code === 22) now = { ...now, isBold: false, isDim: false };
    else if (code === 7) now = { ...now, isInverse: true };
    else if (code === 27) now = { ...now, isInverse: false };
    else if (code === 39) now = { ...now, colour: front };
    else if (code >= 30 && code <= 37) now = { ...now, colour: palette[code - 30]! };
    else if (code >= 90 && code <= 97) now = { ...now, colour: palette[code - 90]! };
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
