// One line → lines within a width, broken between words where there are any. Pure.

import { cellWidth } from '../../text/cell-width.ts';

export function wrapLine(text: string, width: number): string[] {
  if (cellWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\s)/)) {
    if (line !== '' && cellWidth(line + word.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
    while (cellWidth(line.trimEnd()) > width) {
      const cut = cutAt(line, width);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
    }
  }
  return line.trimEnd() === '' && lines.length > 0 ? lines : [...lines, line.trimEnd()];
}

function cutAt(text: string, width: number): number {
  let used = 0;
  let at = 0;
  for (const char of text) {
    used += cellWidth(char);
    if (used > width && at > 0) break;
    at += char.length;
  }
  return at;
}
