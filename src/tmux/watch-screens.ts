// Wakes when the status line of a pane goes over a figure, for panes without hooks: one control client for a session,
// and a subscription that tmux itself looks at once a second. Nothing is captured and nothing is polled by forking.
// It only says "look": what the screen means is for readScreen to tell.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type ScreenWatch = { pid: number; close(): void };
export type ScreenWatchOptions = { over: number; onChange(pane: string, isOver: boolean): void };

const CHANGED = /^%subscription-changed (\S+) \S+ \S+ \S+ (%\d+) : (\d+)$/;
const NAME = 'baton';
const START_MS = 5000;

export async function watchScreens(socket: string, session: string, o: ScreenWatchOptions): Promise<ScreenWatch> {
  // no-output: the panes' text stays in tmux; ignore-size: nobody's window is made smaller.
  const words = ['-S', socket, '-u', '-C', 'attach-session', '-f', 'no-output,ignore-size', '-t', session];
  const { TMUX, TMUX_PANE, ...env } = process.env;
  const child = spawn('tmux', words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  const began = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`tmux of ${socket} gave no control client`)), START_MS);
    child.once('exit', () => reject(new Error(`tmux of ${socket} ended the control client`)));
    child.stdout.once('data', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  createInterface({ input: child.stdout }).on('line', line => {
    const [, name, pane, row] = CHANGED.exec(line) ?? [];
    if (name === NAME && pane !== undefined) o.onChange(pane, Number(row) > 0);
  });
  const close = () => {
    child.stdin.end(); // an orphan of a busy server may stay attached, so it is ended by its id too
    child.kill('SIGTERM');
  };
  await began.catch(error => {
    close();
    throw error;
  });
  child.stdin.write(`refresh-client -B "${NAME}:%*:#{C/r:${pattern(o.over)}}"\n`);
  return { pid: child.pid!, close };
}

// `context: 123.4k` or `1.2M` at or over so many thousand, as a basic pattern of tmux: no braces, no commas, no colons.
export function pattern(tokens: number): string {
  const digits = String(Math.ceil(tokens / 1000));
  const same = [...digits].map((digit, index) => {
    if (index === digits.length - 1) return `${digits.slice(0, index)}[${digit}-9]`;
    if (digit === '9') return null;
    return `${digits.slice(0, index)}[${Number(digit) + 1}-9]${'[0-9]'.repeat(digits.length - 1 - index)}`;
  });
  const longer = `[1-9]${'[0-9]'.repeat(digits.length)}+`;
  const thousands = [...same.filter(each => each !== null), longer].join('|');
  return `context. ((${thousands})[.][0-9]k|[0-9]+[.][0-9]M) tokens`;
}
