// What a pane shows → lines that are safe to show here: colours stay, everything else a terminal would obey goes.
// Pure.

import { plainText } from '../../files/plain-text.ts';
import { cellWidth } from '../../text/cell-width.ts';

const SGR = /\x1b\[([0-9;:]*)m/g;
const MOST = 4000; // characters of one row; no pane is wider
const RESET = '\u001b[0m';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function safePane(text: string, o: { width: number; isColoured: boolean }): string[] {
  const lines = text.split('\n').map(line => safeLine(line.slice(0, MOST), o));
  while (lines.length > 0 && isBlank(lines.at(-1)!)) lines.pop();
  return lines;
}

const isBlank = (line: string): boolean => line.replaceAll(SGR, '').trim() === '';

function safeLine(line: string, { width, isColoured }: { width: number; isColoured: boolean }): string {
  let left = width;
  let shown = '';
  let hasColour = false;
  for (const [at, part] of line.split(SGR).entries()) {
    if (at % 2 === 1) {
      if (!isColoured) continue;
      shown += `\u001b[${part}m`;
      hasColour = true;
      continue;
    }
    const piece = cut(plainText(part), left);
    shown += piece;
    left -= cellWidth(piece);
  }
  return hasColour ? `${shown}${RESET}` : shown.trimEnd();
}

function cut(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += cellWidth(segment);
    if (used > width) break;
    shown += segment;
  }
  return shown;
}
