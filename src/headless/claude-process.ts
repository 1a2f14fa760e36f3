// Claude Code as a child of ours: lines in, lines out, ended with its whole tree. Knows nothing of what the
// lines mean.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { endTree } from '../process/end-tree.ts';
import { readProcess } from '../process/process-table.ts';
import { Fault } from '../protocol/fault.ts';

export type ClaudeExit = { code: number | null; signal: string | null };

export type ClaudeProcess = {
  send(line: string): void;
  closeInput(): void;
  complaints(): string; // the end of its stderr
  exited: Promise<ClaudeExit>; // after its last line was given out
  end(graceMs: number): Promise<void>; // the tree, and what of it ran away
};

export type ClaudeStart = {
  program: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  onLine(line: string): void;
  onComplaint(text: string): void;
};

const KEPT_STDERR = 2000;
// A tool that went to the background may hold our pipe open after Claude Code has ended.
const LAST_LINES_MS = 1000;

export async function startClaude(o: ClaudeStart): Promise<ClaudeProcess> {
  // Tools that leave the tree still carry it, and are found by it.
  const id = randomUUID();
  const env = { ...o.env, BATON_HEADLESS_SESSION: id };
  const child = spawn(o.program, o.argv, { cwd: o.cwd, env, stdio: 'pipe' });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-KEPT_STDERR);
    o.onComplaint(text);
  });
  // It may end while a line is on its way; that it ended is told by `exited`.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', o.onLine);
  const drained = new Promise<void>(resolve => lines.once('close', resolve));
  const exited = new Promise<ClaudeExit>(resolve => {
    child.once('exit', async (code, signal) => {
      const late = setTimeout(() => lines.close(), LAST_LINES_MS);
      await drained;
      clearTimeout(late);
      resolve({ code, signal });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', cause => reject(cannotStart(o.program, o.cwd, cause)));
  });
  const { pid } = child;
  const root = { pid: pid!, start: readProcess(pid!)?.start ?? '', mark: `BATON_HEADLESS_SESSION=${id}` };
  return {
    send: line => void child.stdin.write(`${line}\n`),
    closeInput: () => void child.stdin.end(),
    complaints: () => complaints,
    exited,
    async end(graceMs) {
      await endTree(root, graceMs);
    },
  };
}

const cannotStart = (program: string, cwd: string, cause: Error): Fault =>
  new Fault(
    'missing',
    `Claude Code cannot be started: ${cause.message}`,
    `check that "${program}" is the program and "${cwd}" is a folder`,
    { cause },
  );
