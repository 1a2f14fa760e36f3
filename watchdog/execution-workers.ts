// The agents of executions as workers, by the status.json their engines keep. A file that cannot be read says
// nothing; an execution that is not listed any more has no workers.

import { stat } from 'node:fs/promises';
import { readJson } from '../src/files/write-file.ts';
import { readProcess } from '../src/process/process-table.ts';
import { ExecutionRequest } from '../src/protocol/request.ts';
import { type AgentLine, Status } from '../src/protocol/status.ts';
import type { Worker } from '../src/protocol/workers.ts';
import { placesIn } from '../src/run/workspace-places.ts';
import { listExecutions } from '../src/watching/list-executions.ts';

// An engine writes its status every two seconds.
const SILENT_MS = 15_000;

type PaneWorker = Worker & { pane: string | null };
type Known = { mtimeMs: number; status: Status };

export function openExecutions() {
  const known = new Map<string, Known>();
  const tasks = new Map<string, Map<string, string>>();

  return {
    async look(since: number, before: readonly Worker[]): Promise<PaneWorker[]> {
      const listed = await listExecutions();
      const isListed = new Set(listed.map(({ workspace }) => workspace));
      for (const workspace of [...known.keys(), ...tasks.keys()])
        if (!isListed.has(workspace)) for (const map of [known, tasks]) map.delete(workspace);
      const all: PaneWorker[] = [];
      for (const { workspace } of listed) {
        const status = await readStatus(workspace, since, known);
        if (status === 'old') continue;
        if (status === 'unknown')
          all.push(...before.filter(({ folder, ref }) => folder === workspace && ref !== null).map(withoutPane));
        else all.push(...(await workersOf(workspace, status, tasks)));
      }
      return all;
    },
  };
}

const withoutPane = (worker: Worker): PaneWorker => ({ ...worker, pane: null });

async function readStatus(
  workspace: string,
  since: number,
  known: Map<string, Known>,
): Promise<Status | 'old' | 'unknown'> {
  const file = placesIn(workspace).status;
  const { mtimeMs } = (await stat(file).catch(() => null)) ?? { mtimeMs: null };
  if (mtimeMs === null) return 'unknown';
  if (mtimeMs < since) return 'old'; // over before anybody wanted to know
  const last = known.get(workspace);
  if (last?.mtimeMs === mtimeMs) return last.status;
  const status = await readJson(file, Status).catch(() => null);
  if (status === null) return 'unknown';
  known.set(workspace, { mtimeMs, status });
  return status;
}

async function workersOf(
  workspace: string,
  status: Status,
  tasks: Map<string, Map<string, string>>,
): Promise<PaneWorker[]> {
  const words = tasks.get(workspace) ?? (await readTasks(workspace));
  tasks.set(workspace, words);
  const isLeft = isUnattended(status);
  return status.agents.map(line => toWorker(line, status, workspace, { isLeft, task: words.get(line.agent_name) }));
}

function isUnattended({ status, engine_pid, updated_at }: Status): boolean {
  if (status !== 'running' || Date.now() - Date.parse(updated_at) < SILENT_MS) return false;
  return engine_pid === null || readProcess(engine_pid) === null;
}

function toWorker(
  line: AgentLine,
  { execution_id, agents, start_time }: Status,
  workspace: string,
  o: { isLeft: boolean; task: string | undefined },
): PaneWorker {
  const { agent_name, status, claude } = line;
  const isActive = status === 'running' || status === 'parked' || status === 'pending';
  const question = claude?.question ?? null;
  const ended = new Set(agents.filter(each => each.status === 'success').map(each => each.agent_name));
  return {
    key: `${workspace}/${agent_name}`,
    name: `${agent_name} of ${execution_id}`,
    ref: `${execution_id}/${agent_name}`,
    folder: workspace,
    task: o.task ?? null,
    state: isActive && o.isLeft ? 'unattended' : question !== null && status === 'running' ? 'asking' : status,
    attempt: line.attempt,
    note: claude?.parked?.reason ?? line.note,
    waits_for: line.dependencies.filter(name => !ended.has(name)),
    question:
      question === null
        ? null
        : {
            digest: question.digest,
            kind: question.kind,
            title: question.title,
            options: question.options.map(({ number, label }) => `${number} ${label}`),
          },
    handoff: null,
    tokens: claude?.context === null || claude?.context === undefined ? null : Math.round(claude.context.tokens),
    ended_at: isActive ? null : (line.end_time ?? start_time),
    pane: line.pane,
  };
}

async function readTasks(workspace: string): Promise<Map<string, string>> {
  const request = await readJson(placesIn(workspace).request, ExecutionRequest).catch(() => null);
  return new Map((request?.agents ?? []).map(agent => [agent.agent_name, agent.task.description]));
}
