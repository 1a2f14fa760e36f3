// One call of the git binary: no terminal, no prompt, no editor, a limit, and nothing left alive after it.
// Knows no repository and decides nothing.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { endTree } from '../process/end-tree.ts';
import { readProcess } from '../process/process-table.ts';
import { Fault } from '../protocol/fault.ts';

export type GitAnswer = { ok: boolean; code: number | null; stdout: Buffer; stderr: string; timedOut: boolean };
export type GitCall = {
  cwd: string;
  args: readonly string[];
  input?: string | Uint8Array;
  env?: Record<string, string>;
  limitMs?: number;
  // With the project's hooks and settings, as the user's own git would run; otherwise none of its programs run.
  asProject?: boolean;
};

const LIMIT_MS = 15_000;
const GRACE_MS = 500;
// A child that a hook left behind keeps the output open; it is not waited for longer than this.
const DRAIN_MS = 300;
const MAX_OUTPUT = 64 * 1024 * 1024;

// Fsync of loose objects is off by default, and a conversation is cleared on the strength of them.
const DURABLE = ['-c', 'core.fsync=objects,reference'];
const NO_PROGRAMS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.ext.allow=never'];

// What `git rev-parse --local-env-vars` names: left over from a hook, these would point git at another repository.
const LOCAL_VARIABLES =
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR|INTERNAL_SUPER_PREFIX|NAMESPACE|CEILING_DIRECTORIES|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|TRACE\w*)$/;

export type RunningGit = { child: ChildProcess; end(): Promise<void> };

export function startGit(call: GitCall): RunningGit {
  const { asProject = false } = call;
  const mark = randomUUID();
  const settings = asProject ? DURABLE : [...DURABLE, ...NO_PROGRAMS];
  const child = spawn('git', [...settings, ...call.args], {
    cwd: call.cwd,
    env: { ...environment(asProject), ...call.env, BATON_GIT: mark },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own has no terminal that a passphrase could be asked on.
    detached: true,
  });
  child.stdin.on('error', () => {});
  const end = async () => {
    // Not yet reaped, so its number is still its own.
    const pid = child.exitCode === null && child.signalCode === null ? (child.pid ?? -1) : -1;
    await endTree({ pid, start: readProcess(pid)?.start ?? '', mark: `BATON_GIT=${mark}` }, GRACE_MS);
  };
  return { child, end };
}

export async function runGit(call: GitCall): Promise<GitAnswer> {
  const { child, end } = startGit(call);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  let timedOut = false;
  let ending: Promise<void> | null = null;
  const stop = () => {
    timedOut = true;
    ending ??= end();
  };
  const collect = (into: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT) stop();
    else into.push(chunk);
  };
  child.stdout!.on('data', collect(stdout));
  child.stderr!.on('data', collect(stderr));
  child.stdin!.end(call.input ?? '');
  const timer = setTimeout(stop, call.limitMs ?? LIMIT_MS);
  const code = await ended(child).finally(() => clearTimeout(timer));
  if (ending !== null) await ending;
  const text = Buffer.concat(stderr).toString('utf8');
  return { ok: code === 0 && !timedOut, code, stdout: Buffer.concat(stdout), stderr: text, timedOut };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', error => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const fault = new Fault('missing', `git could not be started: ${error.message}.`, 'Install git 2.30 or later.');
      reject(isMissing ? fault : error);
    });
    child.once('close', resolve);
    child.once('exit', code => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(code);
      }, DRAIN_MS).unref();
    });
  });
}

function environment(asProject: boolean): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !LOCAL_VARIABLES.test(name));
  const quiet = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
  };
  const own: Record<string, string> = { ...(Object.fromEntries(kept) as Record<string, string>), ...quiet };
  delete own.GPG_TTY;
  // Our own calls are read, so they speak one language and see no replaced objects.
  if (!asProject) Object.assign(own, { LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1' });
  else delete own.GIT_LITERAL_PATHSPECS;
  return own;
}

// What git or a hook said, for a report: the first line that calls itself an error, else the last one.
export function saidBy(answer: GitAnswer): string {
  return tellingLine(answer.stderr) ?? `it ended with ${answer.code ?? 'a signal'}`;
}

export function tellingLine(said: string): string | null {
  const lines = said.split('\n').map(line => line.trim());
  const telling = lines.filter(line => line !== '' && !line.startsWith('hint:'));
  return telling.find(line => /^(error|fatal): /.test(line)) ?? telling.at(-1) ?? null;
}
