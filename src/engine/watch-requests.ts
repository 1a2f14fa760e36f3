// `baton engine --watch`: runs every complete execution_request.json that appears below a folder, each
// exactly once, over restarts too: the workspace itself tells what was run already.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
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
import { exitCodeOf, type RunOptions, resumeExecution, runLoaded } from './run-execution.ts';
import { makeSlots } from './slots.ts';

const REQUEST = 'execution_request.json';
// A request written bit by bit is complete when it stood still this long.
const STILL_MS = 300;

export type WatchOptions = {
  maxPanes: number;
  allowRoots: string[];
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
    const options = { allowRoots: o.allowRoots, signal: o.signal, slots };
    const work = takeRequest(file, options, o).catch((error: unknown) => {
      o.say(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    });
    running.set(
      file,
      work.finally(() => {
        running.delete(file);
        if (again.delete(file)) take(file);
      }),
    );
  };

  const watcher = watch(folder, {
    depth: 2,
    ignored: (file, stats) => stats?.isFile() === true && path.basename(file) !== REQUEST,
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

async function takeRequest(file: string, options: RunOptions, o: WatchOptions): Promise<void> {
  const bytes = await readFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const rejectedFile = path.join(path.dirname(file), 'execution_request.rejected.json');
  if (await wasRejected(rejectedFile, sha256)) return;
  try {
    const loaded = await loadRequest({ file }, { allowRoots: o.allowRoots, providers: providerNames });
    const { workspace } = loaded;
    const first = readJournal(placesIn(workspace).events).events[0];
    const isSame = first?.type === 'execution_started' && first.data.request_sha256 === sha256;
    const isOver = await exists(placesIn(workspace).report);
    if (isSame && isOver) return;
    const told = { ...options, onEvent: (event: Event) => o.onEvent?.(workspace, event) };
    o.say(`${loaded.request.execution_id}: ${isSame ? 'going on' : 'starting'} in ${workspace}`);
    const { report } = isSame ? await resumeExecution(workspace, told) : await runLoaded(loaded, told);
    await rm(rejectedFile, { force: true });
    o.say(`${loaded.request.execution_id}: ${report.status} (${exitCodeOf(report)})`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await reject(rejectedFile, sha256, error);
    o.say(`${file}: refused: ${error.message}`);
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
