// How all workers of this user stand, looked at again and again whatever the orchestrators do: the agents of
// executions by their status.json, adopted panes by their followers. What happened is on the disk before anybody is
// told, so that no number is given twice.

import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../src/files/guard-path.ts';
import { readJson, writeJson } from '../src/files/write-file.ts';
import { forgotten, newBook, noteWorkers } from '../src/handoff/worker-book.ts';
import { HandoffRecord } from '../src/protocol/handoff.ts';
import { CheckCursor, type Worker, WorkerBook, type WorkerEvent } from '../src/protocol/workers.ts';
import { openExecutions } from './execution-workers.ts';
import type { PaneStatus } from './pane-status.ts';
import type { WatchedPane } from './watched-pane.ts';

export type Watched = { pane: WatchedPane; status: PaneStatus };
export type WorkerView = { workers: Worker[]; events: WorkerEvent[]; lastN: number };

export type Workers = {
  look(): Promise<void>;
  seenBy(orchestrator: WatchedPane): WorkerView;
  ofExecution(workspace: string): WorkerView;
};

const FORGET_OVER = 200;

export async function openWorkers(o: { state: string; watched(): Watched[] }): Promise<Workers> {
  const file = path.join(o.state, 'workers.json');
  await mkdir(cursorFolder(o.state), { recursive: true, mode: 0o700 });
  const executions = openExecutions();
  let book = (await readBook(file)) ?? (await freshBook(o.state));
  let written = '';

  async function look(): Promise<void> {
    const watched = o.watched();
    const since = Date.parse(book.begun_at);
    const seen = [
      ...(await executions.look(since, book.workers)).map(worker => withPane(worker, watched)),
      ...watched.filter(({ pane }) => pane.kind === 'adopted' && pane.role === 'agent').map(adoptedWorker),
    ];
    const over = book.workers.flatMap(({ key, handoff }) =>
      handoff !== null && seen.find(worker => worker.key === key)?.handoff !== handoff ? [handoff] : [],
    );
    const noted = noteWorkers(book, seen, new Date().toISOString(), await outcomes(o.state, over));
    const next = noted.events.length > FORGET_OVER ? forgotten(noted, await toldToAll(o.state)) : noted;
    // How full a context is changes all the time and means nothing after a restart.
    const text = JSON.stringify({ ...next, workers: next.workers.map(worker => ({ ...worker, tokens: null })) });
    if (text !== written) await writeJson(file, JSON.parse(text), { mode: 0o600 });
    written = text;
    book = next;
  }

  const view = (isWanted: (at: { key: string; folder: string }) => boolean): WorkerView => ({
    workers: book.workers.filter(isWanted),
    events: book.events.filter(isWanted),
    lastN: book.last_n,
  });

  return {
    look,
    // What lies in the project of another orchestrator is that one's.
    seenBy(orchestrator) {
      const others = o
        .watched()
        .filter(({ pane }) => pane.role === 'orchestrator' && pane.key !== orchestrator.key)
        .map(({ pane }) => pane.folder);
      const isIn = (folder: string, project: string) => folder === project || isInside(folder, project);
      return view(({ folder }) => isIn(folder, orchestrator.folder) || !others.some(project => isIn(folder, project)));
    },
    ofExecution: workspace => view(({ folder }) => folder === workspace),
  };
}

export const cursorFolder = (state: string): string => path.join(state, 'orchestrators');

function withPane(worker: Worker & { pane?: string | null }, watched: readonly Watched[]): Worker {
  const { pane, ...rest } = worker;
  const found = watched.find(each => each.pane.kind === 'engine' && each.pane.identity.pane === pane);
  return found === undefined ? rest : { ...rest, handoff: found.status.handoff?.id ?? null };
}

function adoptedWorker({ pane, status }: Watched): Worker {
  return {
    key: `pane/${pane.key}`,
    name: `pane ${pane.name} in ${path.basename(pane.folder)}`,
    ref: null,
    folder: pane.folder,
    task: null,
    state: 'running',
    attempt: 0,
    note: null,
    waits_for: [],
    question: null,
    handoff: status.handoff?.id ?? null,
    tokens: status.tokens,
    ended_at: null,
  };
}

async function outcomes(state: string, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const id of ids) {
    const record = await readJson(path.join(state, 'handoffs', `${id}.json`), HandoffRecord).catch(() => null);
    if (record !== null) found.set(id, record.outcome);
  }
  return found;
}

async function readBook(file: string): Promise<WorkerBook | null> {
  try {
    return WorkerBook.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null; // none yet, or none that can be read
  }
}

// Numbers go on from what orchestrators were told: one given a second time would never be told.
async function freshBook(state: string): Promise<WorkerBook> {
  const cursors = await readCursors(state);
  const last_n = Math.max(0, ...cursors.map(({ told, pending }) => Math.max(told, pending?.through ?? 0)));
  return { ...newBook(new Date().toISOString()), last_n };
}

const toldToAll = async (state: string): Promise<number> =>
  Math.min(...(await readCursors(state)).map(({ told }) => told), Number.MAX_SAFE_INTEGER);

async function readCursors(state: string): Promise<CheckCursor[]> {
  const folder = cursorFolder(state);
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json'));
  const cursors = await Promise.all(
    names.map(name => readJson(path.join(folder, name), CheckCursor).catch(() => null)),
  );
  return cursors.filter(cursor => cursor !== null);
}
