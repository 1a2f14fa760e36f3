// Starts the watchdog in the background: a process of its own that outlives whoever started it. Two that start
// one at the same moment get the same one; the lock decides.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { plainText } from '../files/plain-text.ts';
import { settingNames, variableOf } from '../protocol/config.ts';
import { Fault } from '../protocol/fault.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';
import { askWatchdog } from './ask-watchdog.ts';
import { makeStateFolder } from './make-state-folder.ts';
import { watchdogPlaces } from './watchdog-places.ts';

const START_MS = 15_000;
const LOOK_MS = 50;
const LOG_TAIL = 2000;
const MAX_LOG = 4 * 1024 * 1024;

// In the sources the watchdog stands beside src/, in dist/ among its folders.
const EXTENSION = path.extname(fileURLToPath(import.meta.url));
export const watchdogModule = (name: string): URL =>
  new URL(`${EXTENSION === '.ts' ? '../../watchdog' : '../watchdog'}/${name}${EXTENSION}`, import.meta.url);

export type Started = { pid: number; isNew: boolean };

export async function startWatchdog(): Promise<Started> {
  const running = await askWatchdog({ do: 'status' }).catch(() => null);
  if (running !== null) return { pid: running.pid, isNew: false };
  const child = spawnWatchdog();
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const answer = await askWatchdog({ do: 'status' }).catch(() => null);
    if (answer !== null) return { pid: answer.pid, isNew: answer.pid === child.pid };
    // Refused by the lock of another, that one will answer soon; anything else is an end.
    if (child.exitCode !== null && child.exitCode !== 6) break;
    await sleep(LOOK_MS);
  }
  const { log } = watchdogPlaces();
  const how = child.exitCode === null ? `does not answer after ${START_MS / 1000} s` : `ended with ${child.exitCode}`;
  throw new Fault('failure', `the watchdog ${how}: ${tailOf(log) || 'it said nothing'}`, `see ${log}`);
}

// Starts it and waits for nothing. It has nothing of the terminal or tmux it was started from.
export function spawnWatchdog(): ChildProcess {
  const { state, log } = watchdogPlaces();
  ensureRuntimeFolder();
  makeStateFolder(state);
  const out = openLog(log);
  const env = watchdogEnvironment(process.env);
  try {
    const program = fileURLToPath(watchdogModule('main'));
    const args = ['--max-semi-space-size=4', program];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', out, out], cwd: state, env });
    child.on('error', () => {}); // told by the socket that nobody opens
    child.unref();
    return child;
  } finally {
    closeSync(out);
  }
}

// It watches the projects of all shells: neither the pane nor the settings of the one it was started from are its own.
export function watchdogEnvironment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = new Set(['TMUX', 'TMUX_PANE', 'BATON_PANE', ...settingNames.map(variableOf)]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !foreign.has(name)));
}

export const loadWatchdog = (): Promise<{ runWatchdog(o: RunOptions): Promise<void> }> =>
  import(pathToFileURL(fileURLToPath(watchdogModule('run-watchdog'))).href);
export type RunOptions = { signal: AbortSignal; say(line: string): void };

// One that has grown too long begins anew: the watchdog may run for months.
function openLog(file: string): number {
  const log = openSync(file, 'a', 0o600);
  if (fstatSync(log).size <= MAX_LOG) return log;
  closeSync(log);
  return openSync(file, 'w', 0o600);
}

function tailOf(file: string): string {
  const log = openSync(file, 'r');
  try {
    const from = Math.max(0, fstatSync(log).size - LOG_TAIL);
    const bytes = Buffer.alloc(LOG_TAIL);
    const text = bytes.subarray(0, readSync(log, bytes, 0, LOG_TAIL, from)).toString('utf8');
    return plainText(text.trim().split('\n').slice(-3).join(' / '));
  } finally {
    closeSync(log);
  }
}
