// Bytes of a log, as they come, → whole lines that are safe to show. Keeps what is not whole yet.

import { StringDecoder } from 'node:string_decoder';
import { plainText } from '../files/plain-text.ts';

const LONGEST_LINE = 64 * 1024; // a line that never ends is shown in pieces

export type LogLines = { add: (bytes: Buffer) => string[]; end: () => string[] };

export function makeLogLines(): LogLines {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string): string[] => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) {
      lines.push(rest);
      rest = '';
    }
    return lines.map(toShown);
  };
  return {
    add: bytes => take(decoder.write(bytes)),
    end: () => {
      const lines = take(decoder.end());
      return rest === '' ? lines : [...lines, toShown(rest)];
    },
  };
}

// A progress bar redraws its line with carriage returns; what stood last is what a person saw.
function toShown(line: string): string {
  const pieces = line.replace(/\r+$/, '').split('\r');
  return plainText(pieces.at(-1)!);
}
