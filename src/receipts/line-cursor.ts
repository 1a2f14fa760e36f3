// Whole lines that were added to a file since the last look. A last line without its newline waits for the
// rest; a file that was cut or replaced is read again from its start. Watches nothing by itself.

import { readSync, type Stats } from 'node:fs';
import { lookIntoRegular } from '../files/read-file.ts';

export type NewLine = { text: string; end: number };

export type LineCursor = { take(): Promise<NewLine[]> };

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

export function openLineCursor(file: string, from = 0): LineCursor {
  let offset = from;
  let inode: number | null = null;

  function newLines(fd: number, stats: Stats): NewLine[] {
    if (stats.size < offset || (inode !== null && stats.ino !== inode)) offset = 0;
    inode = stats.ino;
    const lines: NewLine[] = [];
    let rest: Buffer[] = [];
    let at = offset;
    while (at < stats.size) {
      const buffer = Buffer.alloc(Math.min(BLOCK, stats.size - at));
      const count = readSync(fd, buffer, 0, buffer.length, at);
      if (count === 0) break;
      let start = 0;
      const block = buffer.subarray(0, count);
      for (let cut = block.indexOf(NEWLINE); cut >= 0; cut = block.indexOf(NEWLINE, start)) {
        const text = Buffer.concat([...rest, block.subarray(start, cut)]).toString('utf8');
        rest = [];
        start = cut + 1;
        offset = at + start;
        lines.push({ text, end: offset });
      }
      rest.push(block.subarray(start));
      at += count;
    }
    return lines;
  }
  return { take: async () => lookIntoRegular(file, [], newLines) };
}
