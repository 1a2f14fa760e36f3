// Bytes of a command as safe lines, as many as a page holds: of what goes on its end, of a page its beginning.

import { StringDecoder } from 'node:string_decoder';
import { plainText } from '../../files/plain-text.ts';

const LONGEST = 4000; // of one line: more does not fit any terminal

export type Gathered = { lines(): readonly string[]; source(): { add(bytes: Buffer): void; end(): void } };

export function gatherLines(o: { most: number; keeps: 'beginning' | 'end' }): Gathered {
  let lines: string[] = [];
  let isCut = false;
  const take = (parts: readonly string[]) => {
    if (isCut) return;
    for (const part of parts) lines.push(plainText(part.slice(0, LONGEST * 4), { max: LONGEST }).trimEnd());
    if (lines.length <= o.most) return;
    if (o.keeps === 'end') lines = lines.slice(-o.most);
    else {
      isCut = true;
      lines = [...lines.slice(0, o.most), `… cut after ${o.most} lines; the command itself shows all`];
    }
  };
  return {
    lines: () => lines,
    source: () => {
      const decoder = new StringDecoder('utf8');
      let rest = '';
      return {
        add(bytes) {
          const parts = (rest + decoder.write(bytes)).split('\n');
          rest = parts.pop()!.slice(0, LONGEST * 4);
          take(parts);
        },
        end() {
          if (rest !== '') take([rest]);
          rest = '';
        },
      };
    },
  };
}
