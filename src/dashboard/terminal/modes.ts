// The modes of the terminal the dashboard switches on, and a small process that switches them off should the
// dashboard be killed: after kill -9 the next shell finds the terminal as it was.

import { spawn } from 'node:child_process';

// Mouse (press and wheel, SGR coordinates) and focus.
export const MODES_ON = '\u001b[?1000h\u001b[?1006h\u001b[?1004h';
export const MODES_OFF = '\u001b[?1004l\u001b[?1006l\u001b[?1000l';
const EVERYTHING_OFF = `${MODES_OFF}\u001b[?2004l\u001b[?2026l\u001b[?25h\u001b[?1049l\u001b[0m`;

// Reads until its pipe ends. "done" came first: all is well. Else whoever held the other end died.
const GUARD = `trap '' INT TSTP HUP TERM QUIT; read word; [ "$word" = done ] && exit 0; printf '%b' "$1"; stty sane <&1`;

export function guardTerminal(stdout: NodeJS.WriteStream): () => void {
  const words = EVERYTHING_OFF.replaceAll('\u001b', '\\033');
  const child = spawn('sh', ['-c', GUARD, 'baton-guard', words], {
    stdio: ['pipe', stdout, 'ignore'],
    detached: true,
  });
  child.on('error', () => {}); // without it everything works, only a kill -9 is not tidied up
  child.stdin?.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return () => child.stdin?.end('done\n');
}
