// The keyboard as Ink wants it, without what Ink throws away: clicks, the wheel and the focus are taken out of the
// bytes before it sees them. While another program has the terminal, nothing is read.

import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import type { Pointed } from '../model/point-at.ts';

export type { Pointed };
export type Heard = { pointed(at: Pointed): void; focused(is: boolean): void };

// SGR 1006: ESC [ < button ; column ; row M (pressed) or m (let go); focus: ESC [ I and ESC [ O.
// What was pasted (between ESC [ 200 ~ and ESC [ 201 ~) is passed over, whatever it says.
const SEQUENCE = /\x1b\[200~[\s\S]*?\x1b\[201~|\x1b\[<(\d+);(\d+);(\d+)([Mm])|\x1b\[([IO])/g;
const CUT = /\x1b\[(?:<[\d;]*|20{0,2})$/; // one that is not whole yet
const MOST_PASTED = 1_000_000; // one that never ends must not take the keyboard away

export function openKeyboard(stdin: ReadStream, heard: Heard) {
  const keys = new PassThrough();
  let rest = '';
  const read = (bytes: Buffer | string) => {
    const { text, cut } = takeOut(rest + bytes.toString(), heard);
    rest = cut;
    if (text !== '') keys.write(text);
  };
  // What Ink asks a terminal for, passed on to the real one.
  const ink = Object.assign(keys, {
    isTTY: true,
    isRaw: false,
    setRawMode: (isRaw: boolean) => {
      stdin.setRawMode(isRaw);
      ink.isRaw = isRaw;
      stdin.off('data', read);
      if (isRaw) stdin.on('data', read).resume();
      else stdin.pause();
      return ink;
    },
    ref: () => ink,
    unref: () => ink,
  });
  stdin.setEncoding('utf8');
  return ink;
}

export function takeOut(bytes: string, heard: Heard): { text: string; cut: string } {
  const cut = unfinished(bytes);
  const whole = bytes.slice(0, bytes.length - cut.length);
  const text = whole.replace(SEQUENCE, (all, button, column, row, end, focus) => {
    if (all.startsWith('\x1b[200~')) return all;
    if (focus !== undefined) heard.focused(focus === 'I');
    else if (end === 'M') {
      const what = ({ 0: 'click', 64: 'wheel-up', 65: 'wheel-down' } as const)[Number(button) as 0 | 64 | 65];
      if (what !== undefined) heard.pointed({ what, column: Number(column), row: Number(row) });
    }
    return '';
  });
  return { text, cut };
}

function unfinished(bytes: string): string {
  const at = bytes.lastIndexOf('\x1b[200~');
  const isOpen = at >= 0 && !bytes.includes('\x1b[201~', at) && bytes.length - at < MOST_PASTED;
  return isOpen ? bytes.slice(at) : (CUT.exec(bytes)?.[0] ?? '');
}
