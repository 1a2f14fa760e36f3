// An execution from its request, or from where a crash left it, to its report.

import { mkdir, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import { iso, realClock } from '../clock/clock.ts';
import { isInside } from '../files/guard-path.ts';
import { writeFileAtomic, writeJson } from '../files/write-file.ts';
import type { Event } from '../protocol/event.ts';
import { exitCodes, Fault } from '../protocol/fault.ts';
import type { ExecutionReport } from '../protocol/report.ts';
import type { Status } from '../protocol/status.ts';
import { type LoadedRequest, loadRequest, type RequestSource } from '../request/load-request.ts';
import { placesIn } from '../run/workspace-places.ts';
import { conductRun } from './conduct-run.ts';
import { type Command, openControlSocket } from './control-socket.ts';
import { rememberExecution } from './find-execution.ts';
import { enterPhase, finishRun, takeCheckpoint } from './finish-run.ts';
import { type NewEvent, readJournal } from './journal.ts';
import { keepStatus, type StatusKeeper } from './keep-status.ts';
import { numberAway } from './number-away.ts';
import { type HeldWorkspace, holdWorkspace, openEngine } from './open-engine.ts';
import { isThere } from './prepare-attempt.ts';
import { providerNames } from './provider.ts';
import { hasFinished } from './read-execution.ts';
import { freezeConfigs } from './settle-agents.ts';
import { makeSlots, type Slots } from './slots.ts';
import { CLOSING, takeCommand } from './take-command.ts';

export type RunOptions = {
  allowRoots: string[];
  trusted?: string[]; // folders in which Claude Code need not ask for trust
  again?: boolean;
  output?: string; // an extra copy of the report
  signal?: AbortSignal; // aborting cancels the execution
  slots?: Slots; // a limit shared with other executions of this engine
  onEvent?: (event: Event) => void;
  onStatus?: (status: Status) => void;
};
export type RunResult = { report: ExecutionReport; reportFile: string; workspace: string };

export async function runRequest(source: RequestSource, o: RunOptions): Promise<RunResult> {
  return runLoaded(await loadRequest(source, { allowRoots: o.allowRoots, providers: providerNames }), o);
}

export async function runLoaded(loaded: LoadedRequest, o: RunOptions): Promise<RunResult> {
  await mkdir(loaded.workspace, { recursive: true });
  const workspace = await realpath(loaded.workspace);
  const held = await holdWorkspace(workspace, `baton run ${loaded.request.execution_id}`);
  try {
    await makeRoom(held, o.again ?? false, loaded.request.execution_id);
    const { request: file } = placesIn(workspace);
    // The copy names its workspace in full: beside itself, a relative one would mean another place.
    const copy = { ...loaded.request, workspace_root: workspace };
    if (loaded.file === null || path.resolve(loaded.file) !== file) await writeJson(file, copy);
    await freezeConfigs(workspace, new Map(loaded.agents.map(agent => [agent.request.agent_name, agent.config])));
    const first: NewEvent = {
      type: 'execution_started',
      agent: null,
      data: {
        request: loaded.request,
        request_sha256: loaded.sha256,
        workspace_root: workspace,
        allow_roots: loaded.roots.filter(root => root !== workspace),
        trusted: await Promise.all((o.trusted ?? []).map(folder => realpath(folder).catch(() => path.resolve(folder)))),
      },
    };
    await rememberExecution({ id: loaded.request.execution_id, workspace, startedAt: iso(realClock.now()) });
    return await conduct(held, { ...o, start: first, first: null });
  } finally {
    held.release();
  }
}

export async function resumeExecution(workspace: string, o: RunOptions & { first?: Command }): Promise<RunResult> {
  const held = await holdWorkspace(workspace, 'baton resume');
  try {
    if (o.first?.do !== 'retry' && (await hasFinished(workspace))) {
      throw new Fault(
        'refused',
        `the execution in ${workspace} has already finished`,
        'see `baton status`; `baton retry` runs an agent again',
      );
    }
    return await conduct(held, { ...o, start: null, first: o.first ?? null });
  } finally {
    held.release();
  }
}

type ConductOptions = RunOptions & { start: NewEvent | null; first: Command | null };

async function conduct(held: HeldWorkspace, o: ConductOptions): Promise<RunResult> {
  let ring = () => {};
  let keeper: StatusKeeper | null = null;
  const { context, record, close } = await openEngine(held, o.start, event => {
    keeper?.changed();
    o.onEvent?.(event);
  });
  const { places } = context;
  try {
    record.append({ type: 'engine_started', agent: null, data: { pid: process.pid, resumed: o.start === null } });
    if (o.first !== null) obey(takeCommand(record, o.first));
    // Events come before files: results beside a run that is open again belong to what was before a retry.
    if (record.state().ended === null && record.state().phase === 'execute')
      for (const old of [places.report, places.merged, places.conflicts]) await numberAway(old);
    keeper = keepStatus(context, record.state, o.onStatus);
    keeper.changed();
    const conductor = conductRun({ context, record, keeper, slots: o.slots ?? makeSlots(Number.POSITIVE_INFINITY) });
    ring = conductor.wake;
    let isClosing = false;
    const socket = await openControlSocket(held.workspace, command => {
      if (isClosing) return CLOSING;
      const answer = takeCommand(record, command);
      ring();
      return answer;
    });
    const cancel = () => {
      if (!isClosing) takeCommand(record, { do: 'cancel' });
      ring();
    };
    o.signal?.addEventListener('abort', cancel);
    try {
      if (o.signal?.aborted) cancel();
      if (record.state().ended === null) {
        if (record.state().ending === null) await takeCheckpoint(context, record);
        if (record.state().phase === 'setup') enterPhase(record, 'execute');
        await conductor.run();
      }
      isClosing = true;
      const report = await finishRun(context, record);
      if (o.output !== undefined) await writeFileAtomic(o.output, `${JSON.stringify(report, null, 2)}\n`);
      return { report, reportFile: places.report, workspace: held.workspace };
    } finally {
      o.signal?.removeEventListener('abort', cancel);
      socket.close();
      await keeper.close();
    }
  } finally {
    close();
  }
}

function obey(answer: { ok: boolean; message: string }): void {
  if (!answer.ok) throw new Fault('refused', answer.message, '`baton status` shows how things stand');
}

// What of an earlier run goes to runs/<n>/ with --again. Inputs, outputs and the request stay where they are.
const KEPT_WITH_THE_RUN = [
  'execution_report.json',
  'status.json',
  'events.ndjson',
  'conflicts.json',
  'logs',
  'tmux',
  'merged',
  'merge',
  'attempts',
  'checkpoint',
  'work',
  '.baton/marks',
  '.baton/tasks',
  '.baton/results',
];

async function makeRoom({ workspace }: HeldWorkspace, again: boolean, id: string): Promise<void> {
  const places = placesIn(workspace);
  // Killed before its first event was whole, nothing of it happened.
  if (readJournal(places.events).events.length === 0) return;
  if (!(await hasFinished(workspace))) {
    throw new Fault(
      'refused',
      `${workspace} holds an execution that has not finished`,
      `\`baton resume ${id}\` goes on with it, \`baton cancel ${id}\` ends it`,
    );
  }
  if (!again) {
    throw new Fault(
      'refused',
      `the execution in ${workspace} has already finished`,
      'give --again to run it anew; the old run is kept in runs/',
    );
  }
  const folder = await freeRunFolder(places.earlierRuns);
  // events.ndjson goes last: until then the workspace still counts as finished and this can be done again.
  const names = [...KEPT_WITH_THE_RUN.filter(name => name !== 'events.ndjson'), 'events.ndjson'];
  for (const name of names) {
    const from = path.join(workspace, name);
    if (!isInside(from, workspace) || !(await isThere(from))) continue;
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await rename(from, path.join(folder, name));
  }
}

async function freeRunFolder(folder: string): Promise<string> {
  for (let n = 1; ; n++) {
    const place = path.join(folder, String(n));
    if (await isThere(path.join(place, 'events.ndjson'))) continue;
    await mkdir(place, { recursive: true });
    return place;
  }
}

export function exitCodeOf(report: ExecutionReport): number {
  if (report.status === 'success') return exitCodes.success;
  if (report.status === 'partial_success') return exitCodes.partial;
  if (report.status === 'timeout') return exitCodes.timeout;
  if (report.status === 'cancelled') return exitCodes.cancelled;
  return report.merge_result.conflicts_file !== null ? exitCodes.review : exitCodes.failure;
}
