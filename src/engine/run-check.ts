// Runs one check of an agent's criteria: a command of the operator's, by the engine, with a limit. What
// it prints is kept in the logs; a command that fails proves nothing, whatever it printed.

import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import { writeFileAtomic } from '../files/write-file.ts';
import { endTree } from '../process/end-tree.ts';
import { readProcess } from '../process/process-table.ts';
import type { Check } from '../protocol/agent.ts';
import type { Measured } from '../protocol/report.ts';
import type { CheckFact } from '../run/judge-attempt.ts';
import { findInFolder } from './provider.ts';

const LIMIT_MS = 10 * 60 * 1000;
const GRACE_MS = 2000;
// A child the command left behind keeps its output open; it is not waited for longer than this.
const DRAIN_MS = 500;
const MAX_OUTPUT = 8 * 1024 * 1024;

export type CheckPlace = {
  agentPath: string;
  cwd: string;
  env: Record<string, string>;
  logFile: string;
  redact(text: string): string;
  signal: AbortSignal;
  limitMs?: number;
};

export async function runCheck(check: Check, place: CheckPlace): Promise<CheckFact> {
  const [file, ...args] = await findInFolder(check.command, place.agentPath);
  // A mark of its own: the agent may still be alive, and its processes carry the attempt's.
  const id = randomUUID();
  const child = execa(file!, args, {
    cwd: place.cwd,
    env: { ...place.env, BATON_CHECK: id },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    buffer: { all: true, stdout: true, stderr: false },
    maxBuffer: MAX_OUTPUT,
  });
  const { limitMs = LIMIT_MS } = place;
  const start = readProcess(child.pid ?? -1)?.start ?? '';
  const root = { pid: child.pid ?? -1, start, mark: `BATON_CHECK=${id}` };
  let stopped: string | null = null;
  const stop = (why: string) => {
    stopped ??= why;
    void endTree(root, GRACE_MS);
  };
  const timer = setTimeout(() => stop(`took longer than ${limitMs / 60_000} minutes`), limitMs);
  const onAbort = () => stop('was stopped');
  place.signal.addEventListener('abort', onAbort);
  child.nodeChildProcess.once('exit', () => setTimeout(() => endTree(root, GRACE_MS), DRAIN_MS).unref());
  const result = await child;
  clearTimeout(timer);
  place.signal.removeEventListener('abort', onAbort);
  await endTree(root, GRACE_MS);
  await writeFileAtomic(place.logFile, place.redact(String(result.all ?? '')), { mode: 0o600, sync: false });
  if (stopped !== null) return { value: null, complaint: `could not be checked: the command ${stopped}` };
  return readCheck(check.read, String(result.stdout ?? ''), result);
}

type Ended = { exitCode?: number | undefined; failed: boolean; shortMessage?: string | undefined };

export function readCheck(read: Check['read'], stdout: string, ended: Ended): CheckFact {
  if (ended.exitCode === undefined) return { value: null, complaint: `could not be checked: ${ended.shortMessage}` };
  if (read === 'exit') return { value: ended.exitCode === 0, complaint: null };
  if (ended.exitCode !== 0)
    return { value: null, complaint: `could not be checked: the command ended with ${ended.exitCode}` };
  if (read === 'number') {
    const last = stdout.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)?.at(-1);
    return last === undefined
      ? { value: null, complaint: 'could not be checked: the command printed no number' }
      : { value: Number(last), complaint: null };
  }
  return readField(read.slice('json:'.length), stdout);
}

function readField(field: string, stdout: string): CheckFact {
  let at: unknown;
  try {
    at = JSON.parse(stdout);
  } catch {
    return { value: null, complaint: 'could not be checked: the command printed no JSON' };
  }
  for (const key of field.split('.')) {
    at =
      at !== null && typeof at === 'object' && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined;
  }
  const isPlain = typeof at === 'boolean' || typeof at === 'number' || typeof at === 'string';
  return isPlain
    ? { value: at as Measured, complaint: null }
    : { value: null, complaint: `could not be checked: the command's JSON has no value at "${field}"` };
}
