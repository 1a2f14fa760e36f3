// One execution as its files tell it: status.json, what its request asked for, what the merge left to decide, and
// whether its engine lives. Reads only; whatever cannot be read just now stays as it was.

import { agentThresholds } from '../../engine/agent-thresholds.ts';
import { followEvents, isRunning, readStatus } from '../../engine/read-execution.ts';
import { plainText } from '../../files/plain-text.ts';
import { watchPlace } from '../../files/watch-place.ts';
import { readJson } from '../../files/write-file.ts';
import { ConflictReport } from '../../protocol/conflicts.ts';
import type { ExecutionRequest } from '../../protocol/request.ts';
import type { Status } from '../../protocol/status.ts';
import { foldEvents, type RunState } from '../../run/run-state.ts';
import { placesIn } from '../../run/workspace-places.ts';
import { claudeFigures } from '../model/claude-figures.ts';
import type { SeenExecution } from '../model/seen.ts';

// The engine writes a sign of life every two seconds.
const SILENT_MS = 6000;
const TASK_CELLS = 200;

export type FollowedExecution = { seen(): SeenExecution | null; look(): Promise<void>; close(): void };

export function followExecution(id: string, workspace: string, changed: () => void): FollowedExecution {
  let seen: SeenExecution | null = null;
  let tasks: SeenExecution['tasks'] = new Map();
  let thresholds: SeenExecution['thresholds'] = new Map();
  let state: RunState | null = null;
  let begun = 0; // Claude Code agents so far
  let isReading = false;
  let isAgain = false;
  const news = followEvents(workspace);

  async function read(): Promise<void> {
    const status = await readStatus(workspace).catch(() => null);
    if (status === null) return;
    const isFirst = state === null;
    try {
      const { events, isWhole } = news();
      state = foldEvents(events, isWhole ? null : state) ?? state;
    } catch {
      // A record that cannot be read tells nothing; the status still does.
    }
    if (isFirst && state !== null) tasks = tasksOf(state.request);
    const claude = claudeFigures(state, status, seen?.claude ?? new Map());
    // An agent's folder, and so its project, may come only when it begins.
    if (claude.size !== begun && state !== null) {
      begun = claude.size;
      thresholds = await agentThresholds(state.request, workspace).catch(() => thresholds);
    }
    const isOver = status.status !== 'running';
    seen = {
      id,
      workspace,
      status,
      hasEngine: isOver || isFresh(status) || (await isRunning(workspace).catch(() => null)) !== null,
      tasks,
      claude,
      thresholds,
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

function tasksOf({ agents }: ExecutionRequest): SeenExecution['tasks'] {
  return new Map(
    agents.map(({ agent_name, task }) => [agent_name, plainText(task.description, { max: TASK_CELLS }).trim()]),
  );
}

export async function readConflicts(workspace: string): Promise<SeenExecution['conflicts']> {
  try {
    const { conflicts } = await readJson(placesIn(workspace).conflicts, ConflictReport);
    return conflicts.map(({ id, path, sides }) => ({ id, path, agents: sides.map(({ agent }) => agent) }));
  } catch {
    return []; // none, or decided by now
  }
}
