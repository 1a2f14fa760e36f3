// Removes the working files of old executions. What was merged, outputs, reports, requests and inputs stay;
// an execution whose results were not merged is left alone.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { realClock } from '../clock/clock.ts';
import { isInside } from '../files/guard-path.ts';
import { walkTree } from '../files/walk-tree.ts';
import { type Execution, forgetExecution, listExecutions } from './find-execution.ts';
import { holdWorkspace } from './open-engine.ts';
import { isRunning, readReport } from './read-execution.ts';

const WORKING_FILES = [
  'logs',
  'tmux',
  'attempts',
  'checkpoint',
  'merge',
  'runs',
  'work',
  'status.json',
  'events.ndjson',
];
const DAY_MS = 24 * 3600 * 1000;

export type Removable = Execution & { bytes: number; endedAt: string };

export async function removableExecutions(olderThanDays: number): Promise<Removable[]> {
  const removable: Removable[] = [];
  for (const execution of await listExecutions()) {
    const report = await readReport(execution.workspace).catch(() => null);
    if (report === null || report.merge_result.status !== 'success' || (await isRunning(execution.workspace))) continue;
    if (realClock.now() - Date.parse(report.end_timestamp) < olderThanDays * DAY_MS) continue;
    removable.push({ ...execution, endedAt: report.end_timestamp, bytes: await bytesOf(execution.workspace) });
  }
  return removable;
}

async function bytesOf(workspace: string): Promise<number> {
  const trees = await Promise.all(WORKING_FILES.map(name => walkTree(path.join(workspace, name)).catch(() => [])));
  return trees.flat().reduce((sum, entry) => sum + entry.size, 0);
}

export async function removeExecution({ workspace }: Execution): Promise<void> {
  const held = await holdWorkspace(workspace, 'baton clean');
  try {
    for (const name of WORKING_FILES) {
      const place = path.join(workspace, name);
      if (isInside(place, workspace)) await rm(place, { recursive: true, force: true });
    }
    await forgetExecution(workspace);
  } finally {
    held.release();
  }
  await rm(path.join(workspace, '.baton'), { recursive: true, force: true });
}
