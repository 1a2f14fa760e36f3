// `baton engine --watch`: runs every complete execution_request.json that appears below a folder, each
// exactly once, over restarts too: the workspace itself tells what was run already.

import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { iso, realClock } from '../clock/clock.ts';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import type { Event } from '../protocol/event.ts';
import { Fault } from '../protocol/fault.ts';
import { type Problem, Rejection } from '../protocol/request.ts';
import { loadRequest } from '../request/load-request.ts';
import { placesIn } from '../run/workspace-places.ts';
import { readJournal } from './journal.ts';
import { providerNames } from './provider.ts';
import { hasFinished, isRunning } from './read-execution.ts';
import { exitCodeOf, type RunOptions, resumeExecution, runLoaded } from './run-execution.ts';
import { makeSlots } from './slots.ts';

const REQUEST = 'execution_request.json';
// A request written bit by bit is complete when it stood still this long.
const STILL_MS = 300;
// One that is no JSON may have a slow writer: it must stand still this long before it is refused.
const BROKEN_MS = 1500;
// An execution that another engine holds is looked at again: that engine may die.
const HELD_MS = 3000;
// Folders of an execution: busy, and no place for requests. Watching their logs would cost more than the agents.
const WORKING = new Set([
  '.baton',
  'attempts',
  'checkpoint',
  'logs',
  'merge',
  'merged',
  'outputs',
  'runs',
  'tmux',
  'work',
]);

export type WatchOptions = {
  maxPanes: number;
  allowRoots: string[];
  trusted?: string[];
  signal: AbortSignal;
  onEvent?: (workspace: string, event: Event) => void;
  say: (line: string) => void;
};

export async function watchRequests(folder: string, o: WatchOptions): Promise<void> {
  await mkdir(folder, { recursive: true });
  const slots = makeSlots(o.maxPanes);
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();

  const take = (file: string): void => {
    if (path.basename(file) !== REQUEST || o.signal.aborted) return;
    // A request that changes while it is worked on is looked at once more afterwards.
    if (running.has(file)) return void again.add(file);
    const options = { allowRoots: o.allowRoots, trusted: o.trusted ?? [], signal: o.signal, slots };
    const work = takeRequest(file, options, o).catch((error: unknown) => {
      o.say(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      return 'done' as const;
    });
    const after = work.then(how => {
      running.delete(file);
      if (again.delete(file)) take(file);
      else if (how === 'held') setTimeout(take, HELD_MS, file).unref();
    });
    running.set(file, after);
  };

  const watcher = watch(folder, {
    depth: 2,
    ignored: (file, stats) => {
      const below = path.relative(folder, file).split(path.sep);
      if (below.length > 1 && WORKING.has(below.at(-1)!)) return true;
      return stats?.isFile() === true && path.basename(file) !== REQUEST;
    },
    followSymlinks: false,
    awaitWriteFinish: { stabilityThreshold: STILL_MS, pollInterval: 50 },
  });
  watcher.on('add', take).on('change', take);
  watcher.on('error', error => o.say(`watching ${folder}: ${error instanceof Error ? error.message : String(error)}`));
  await new Promise<void>(resolve =>
    o.signal.aborted ? resolve() : o.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await watcher.close();
  await Promise.all(running.values());
}

async function readSettled(file: string, signal: AbortSignal): Promise<Buffer> {
  for (let bytes = await readFile(file); ; ) {
    if (parse(bytes) !== null || signal.aborted) return bytes;
    await sleep(BROKEN_MS);
    const later = await readFile(file);
    if (later.equals(bytes)) return bytes;
    bytes = later;
  }
}

type Taken = 'done' | 'held';

async function takeRequest(file: string, options: RunOptions, o: WatchOptions): Promise<Taken> {
  const bytes = await readSettled(file, o.signal);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const rejectedFile = path.join(path.dirname(file), 'execution_request.rejected.json');
  if (await wasRejected(rejectedFile, sha256)) return 'done';
  let workspace = await realpath(path.dirname(file));
  try {
    // What began is not judged anew: its inputs and agents may have changed or gone since.
    let known = beganWith(workspace, bytes, sha256);
    const loaded = known ? null : await loadRequest({ file }, { allowRoots: o.allowRoots, providers: providerNames });
    if (loaded !== null) {
      workspace = loaded.workspace;
      known = beganWith(workspace, Buffer.from(JSON.stringify(loaded.request)), sha256);
    }
    if (known && (await hasFinished(workspace))) return 'done';
    const told = { ...options, onEvent: (event: Event) => o.onEvent?.(workspace, event) };
    o.say(`${workspace}: ${known ? 'going on' : 'starting'}`);
    const { report } =
      known || loaded === null ? await resumeExecution(workspace, told) : await runLoaded(loaded, told);
    await rm(rejectedFile, { force: true });
    o.say(`${workspace}: ${report.execution_id} ended as ${report.status} (${exitCodeOf(report)})`);
  } catch (error) {
    // A missing program is not the request's fault: it is tried again at the next start.
    if (!(error instanceof Fault) || error.code === 'missing') throw error;
    if ((await isRunning(workspace)) !== null) return 'held';
    // It was held a moment ago, and its engine has just finished it.
    if (error.code === 'refused' && beganWith(workspace, bytes, sha256)) return 'held';
    await reject(rejectedFile, sha256, error);
    o.say(`${file}: refused: ${error.message}`);
  }
  return 'done';
}

// The engine leaves a copy of the request in the workspace; read from there it is still the same one.
function beganWith(workspace: string, request: Buffer, sha256: string): boolean {
  const first = readJournal(placesIn(workspace).events).events[0];
  if (first?.type !== 'execution_started') return false;
  return first.data.request_sha256 === sha256 || textOf(first.data.request) === textOf(parse(request));
}

const textOf = (asked: unknown): string => JSON.stringify({ ...(asked as object), workspace_root: '' });

function parse(request: Buffer): unknown {
  try {
    return JSON.parse(request.toString('utf8'));
  } catch {
    return null; // the check of the request says why
  }
}

async function wasRejected(file: string, sha256: string): Promise<boolean> {
  if (!(await exists(file))) return false;
  const earlier = await readJson(file, Rejection).catch(() => null);
  return earlier?.request_sha256 === sha256;
}

async function reject(file: string, sha256: string, fault: Fault): Promise<void> {
  const whole: Problem = { path: '', message: fault.message, cure: fault.cure };
  const problems = fault.problems.length > 0 ? [...fault.problems] : [whole];
  await writeJson(file, { rejected_at: iso(realClock.now()), request_sha256: sha256, problems } satisfies Rejection);
}
