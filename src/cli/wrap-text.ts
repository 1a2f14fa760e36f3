// One line broken at words to fit a width. What follows a "- ", a number or an indent stays below its text. A word that
// is longer than a line is left whole: it is mostly a path that somebody wants to copy. Pure.

import { cellWidth } from '../text/cell-width.ts';

export function wrapText(line: string, width: number): string[] {
  if (cellWidth(line) <= width) return [line.trimEnd()];
  const [lead] = /^\s*(?:[-*+]\s+(?:\[.\]\s+)?|\d+\.\s+)?/.exec(line)!;
  const indent = ' '.repeat(Math.min(lead.length, Math.floor(width / 2)));
  const lines = [lead];
  for (const word of line.slice(lead.length).split(/\s+/)) {
    const now = lines.at(-1)!;
    const isBegun = now.trim() !== '' && now !== lead;
    if (!isBegun) lines[lines.length - 1] = now + word;
    else if (cellWidth(now) + 1 + cellWidth(word) <= width) lines[lines.length - 1] = `${now} ${word}`;
    else lines.push(indent + word);
  }
  return lines;
}
