// One program that is told a notice: no shell, no output of it on the terminal, a limit, and nothing left alive.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { plainText } from '../files/plain-text.ts';
import { endTree } from '../process/end-tree.ts';
import { readProcess } from '../process/process-table.ts';

export const LIMIT_MS = 10_000;
const GRACE_MS = 500;
const MOST_SAID = 2000;

// null: it went well; else why not, in words.
export function runNotice(argv: readonly string[], input: string, limitMs = LIMIT_MS): Promise<string | null> {
  const [program = '', ...args] = argv;
  const mark = randomUUID();
  return new Promise(resolve => {
    let said = '';
    let isLate = false;
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, BATON_NOTICE: mark },
    });
    const timer = setTimeout(() => {
      isLate = true;
      const pid = child.pid ?? -1;
      void endTree({ pid, start: readProcess(pid)?.start ?? '', mark: `BATON_NOTICE=${mark}` }, GRACE_MS);
    }, limitMs);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.stderr.on('data', chunk => {
      if (said.length < MOST_SAID) said += chunk;
    });
    child.once('error', error => {
      clearTimeout(timer);
      resolve(plainText(error.message, { max: 200 }));
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      child.stderr.destroy();
      if (isLate) return resolve(`it took longer than ${limitMs / 1000} s and was ended`);
      const words = plainText(said, { max: 200 }).trim();
      resolve(code === 0 ? null : `it ended with ${code ?? signal}${words === '' ? '' : `: ${words}`}`);
    });
  });
}
