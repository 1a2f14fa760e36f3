// One execution as its files tell it: status.json, what its request asked for, what the merge left to decide, and
// whether its engine lives. Reads only; whatever cannot be read just now stays as it was.

import { isRunning, readEvents, readReport, readStatus } from '../../engine/read-execution.ts';
import { plainText } from '../../files/plain-text.ts';
import { readJson } from '../../files/write-file.ts';
import { ConflictReport } from '../../protocol/conflicts.ts';
import type { Status } from '../../protocol/status.ts';
import { placesIn } from '../../run/workspace-places.ts';
import type { SeenExecution } from '../model/seen.ts';
import { watchPlace } from './watch-place.ts';

// The engine writes a sign of life every two seconds.
const SILENT_MS = 6000;
const TASK_CELLS = 200;

export type FollowedExecution = { seen(): SeenExecution | null; look(): Promise<void>; close(): void };

export function followExecution(id: string, workspace: string, changed: () => void): FollowedExecution {
  let seen: SeenExecution | null = null;
  let tasks: ReadonlyMap<string, string> = new Map();
  let isReading = false;
  let isAgain = false;

  async function read(): Promise<void> {
    const status = await readStatus(workspace).catch(() => null);
    if (status === null) return;
    if (tasks.size === 0) tasks = await readTasks(workspace);
    const isOver = status.status !== 'running';
    const wasOver = seen !== null && seen.status.status !== 'running';
    seen = {
      id,
      workspace,
      status,
      hasEngine: isOver || isFresh(status) || (await isRunning(workspace).catch(() => null)) !== null,
      tasks,
      claude: isOver && !wasOver ? await lastFigures(workspace, seen, status) : figures(seen, status),
      conflicts: isOver ? await readConflicts(workspace) : [],
    };
  }

  // One reading at a time; what changed during it is read after it.
  async function look(): Promise<void> {
    if (isReading) {
      isAgain = true;
      return;
    }
    isReading = true;
    do {
      isAgain = false;
      await read();
    } while (isAgain);
    isReading = false;
    changed();
  }

  const names = new Set(['status.json', 'conflicts.json', 'execution_report.json']);
  const stop = watchPlace(
    workspace,
    name => names.has(name),
    () => void look(),
  );
  return { seen: () => seen, look, close: stop };
}

const isFresh = ({ updated_at }: Status): boolean => Date.now() - Date.parse(updated_at) < SILENT_MS;

type Figures = SeenExecution['claude'];

// A session that ended has no line any more; what was last known of it stays.
function figures(before: SeenExecution | null, { agents }: Status): Figures {
  const known = new Map(before?.claude);
  for (const { agent_name, claude } of agents) {
    if (claude === null) continue;
    const { context, cost_usd } = claude;
    known.set(agent_name, { context, cost_usd: cost_usd ?? known.get(agent_name)?.cost_usd ?? null });
  }
  return known;
}

async function lastFigures(workspace: string, before: SeenExecution | null, status: Status): Promise<Figures> {
  const known = new Map(figures(before, status));
  const report = await readReport(workspace).catch(() => null);
  for (const { agent_name, claude, end_time } of report?.agents ?? []) {
    if (claude === null) continue;
    const window = known.get(agent_name)?.context?.window ?? null;
    const at = end_time ?? status.updated_at;
    const tokens = claude.context_tokens;
    known.set(agent_name, {
      context: tokens === null ? null : { tokens, window, source: 'record', session_id: null, at },
      cost_usd: claude.cost_usd,
    });
  }
  return known;
}

async function readTasks(workspace: string): Promise<ReadonlyMap<string, string>> {
  const events = await readEvents(workspace).catch(() => []);
  const first = events.find(event => event.type === 'execution_started');
  const agents = first?.type === 'execution_started' ? first.data.request.agents : [];
  return new Map(
    agents.map(({ agent_name, task }) => [agent_name, plainText(task.description, { max: TASK_CELLS }).trim()]),
  );
}

async function readConflicts(workspace: string): Promise<SeenExecution['conflicts']> {
  try {
    const { conflicts } = await readJson(placesIn(workspace).conflicts, ConflictReport);
    return conflicts.map(({ id, path, sides }) => ({ id, path, agents: sides.map(({ agent }) => agent) }));
  } catch {
    return []; // none, or decided by now
  }
}
