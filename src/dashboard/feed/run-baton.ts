// Runs a command of the command line as a child: what a key does is what the command does. Its words go to a
// file, so that one that becomes an engine outlives the dashboard.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes } from '../../protocol/fault.ts';
import { ensureRuntimeFolder } from '../../tmux/runtime.ts';
import type { Message } from '../model/ui.ts';

// The same distance from src/dashboard/feed and from dist/dashboard/feed.
const bin = fileURLToPath(new URL(`../../cli/bin${path.extname(import.meta.url)}`, import.meta.url));
const MOST_WORDS = 64 * 1024;

export const batonCommand = (argv: readonly string[]): [string, string[]] => [
  process.execPath,
  [...process.execArgv, bin, ...argv],
];

// Words on a page: no colours, for the width of the page, whatever this process was started with.
export const batonEnvironment = (width?: number): NodeJS.ProcessEnv => {
  const { FORCE_COLOR: _, ...env } = process.env;
  return { ...env, NO_COLOR: '1', ...(width === undefined ? {} : { COLUMNS: String(width) }) };
};

let runs = 0;
const open = new Set<string>();
// A command that outlives the dashboard goes on writing into its file, which nobody reads any more.
export const forgetRuns = (): void => {
  for (const file of open) rmSync(file, { force: true });
};

export function runBaton(argv: readonly string[], label: string): Promise<Message> {
  runs += 1;
  const file = path.join(ensureRuntimeFolder(), `dash-${process.pid}-${runs}`);
  const out = openSync(file, 'wx', 0o600);
  open.add(file);
  const [command, args] = batonCommand(argv);
  const child = spawn(command, args, {
    stdio: ['ignore', out, out],
    detached: true, // Ctrl-Z and the end of this terminal are not its own
    env: batonEnvironment(),
  });
  closeSync(out);
  child.unref();
  return new Promise(resolve => {
    const end = (code: number | null) => {
      const words = readWords(file);
      rmSync(file, { force: true });
      open.delete(file);
      resolve({ text: toMessage(words, label, code), kind: kindOf(code) });
    };
    child.once('error', () => end(null));
    child.once('exit', end);
  });
}

// One of several conflicts decided is no failure.
const kindOf = (code: number | null): Message['kind'] =>
  code === exitCodes.success ? 'good' : code === exitCodes.review ? 'info' : 'bad';

function readWords(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, MOST_WORDS);
  } catch {
    return '';
  }
}

// What went wrong and its cure stand in the first lines; what went well is said in the first.
export function toMessage(words: string, label: string, code: number | null): string {
  const lines = plainText(words, { keepNewlines: true })
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  if (lines.length === 0) return code === 0 ? `${label}: done` : `${label}: ended with ${code ?? 'no answer'}`;
  const [left] = /\d+ conflicts? to decide/.exec(lines[0]!) ?? [];
  if (code === exitCodes.review && left !== undefined) return `${label}: done, ${left}`;
  return code === 0
    ? lines.slice(0, 2).join(' · ')
    : lines
        .slice(0, 2)
        .join(' · ')
        .replace(/^baton: /, '');
}

export const spawnAttach = (argv: readonly string[]): ChildProcess => {
  const [command, args] = batonCommand(argv);
  return spawn(command, args, { stdio: 'inherit' });
};
