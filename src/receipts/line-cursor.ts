// Whole lines that were added to a file since the last look. A last line without its newline waits for the
// rest; a file that was cut or replaced is read again from its start. Watches nothing by itself.

import { openRegular } from '../files/read-file.ts';

export type NewLine = { text: string; end: number };

export type LineCursor = { take(): Promise<NewLine[]> };

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

export function openLineCursor(file: string, from = 0): LineCursor {
  let offset = from;
  let inode: number | null = null;

  return {
    async take() {
      const handle = await openRegular(file).catch(missing);
      if (handle === null) return [];
      try {
        const stats = await handle.stat();
        if (stats.size < offset || (inode !== null && stats.ino !== inode)) offset = 0;
        inode = stats.ino;
        const lines: NewLine[] = [];
        let rest: Buffer[] = [];
        let at = offset;
        while (at < stats.size) {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(BLOCK, stats.size - at)), 0, null, at);
          if (bytesRead === 0) break;
          let start = 0;
          const block = buffer.subarray(0, bytesRead);
          for (let cut = block.indexOf(NEWLINE); cut >= 0; cut = block.indexOf(NEWLINE, start)) {
            const text = Buffer.concat([...rest, block.subarray(start, cut)]).toString('utf8');
            rest = [];
            start = cut + 1;
            offset = at + start;
            lines.push({ text, end: offset });
          }
          rest.push(block.subarray(start));
          at += bytesRead;
        }
        return lines;
      } finally {
        await handle.close();
      }
    },
  };
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
