// Follows the executions of this user: those that are shown closely, the others only in whether they begin again.

import { readStatus } from '../../engine/read-execution.ts';
import { watchPlace } from '../../files/watch-place.ts';
import { listExecutions, registry } from '../../watching/list-executions.ts';
import { chooseShown, type Glance } from '../model/choose-shown.ts';
import type { SeenExecution } from '../model/seen.ts';
import { type FollowedExecution, followExecution, readConflicts } from './follow-execution.ts';

export type FollowedAll = {
  shown(): FollowedExecution[]; // newest first
  isReady(): boolean; // all were looked at once
  refresh(): void;
  close(): void;
};

export function followAll(changed: () => void): FollowedAll {
  const followed = new Map<string, FollowedExecution>();
  const hidden = new Map<string, () => void>();
  let order: string[] = [];
  let isOver = false;

  async function list(): Promise<void> {
    const all = await listExecutions().catch(() => []);
    const glances = await Promise.all(all.map(({ workspace }) => glance(workspace, followed.get(workspace)?.seen())));
    const shown = new Set(chooseShown(glances));
    for (const [workspace, one] of followed) {
      if (shown.has(workspace)) continue;
      one.close();
      followed.delete(workspace);
    }
    const rest = new Set(all.map(({ workspace }) => workspace).filter(workspace => !shown.has(workspace)));
    for (const [workspace, stop] of hidden) {
      if (rest.has(workspace)) continue;
      stop();
      hidden.delete(workspace);
    }
    if (isOver) return;
    for (const workspace of rest)
      if (!hidden.has(workspace)) hidden.set(workspace, watchPlace(workspace, isStatus, again));
    const opened = all.filter(({ workspace }) => shown.has(workspace) && !followed.has(workspace));
    for (const { id, workspace } of opened) followed.set(workspace, followExecution(id, workspace, changed));
    order = [...shown];
    await Promise.all(opened.map(({ workspace }) => followed.get(workspace)?.look()));
  }

  // One listing at a time; what changed during it is listed after it.
  let isListing = false;
  let isAgain = false;
  let isReady = false;
  async function listAgain(): Promise<void> {
    isAgain = true;
    if (isListing) return;
    isListing = true;
    while (isAgain && !isOver) {
      isAgain = false;
      await list().catch(() => {}); // the next change tries again
      isReady = true;
      if (!isOver) changed();
    }
    isListing = false;
  }
  const again = () => void listAgain();

  const stop = watchPlace(registry(), name => name.endsWith('.json'), again);
  again();
  return {
    shown: () => order.flatMap(workspace => followed.get(workspace) ?? []),
    isReady: () => isReady,
    refresh: () => {
      again();
      for (const one of followed.values()) void one.look();
    },
    close: () => {
      isOver = true;
      stop();
      for (const one of followed.values()) one.close();
      for (const end of hidden.values()) end();
    },
  };
}

const isStatus = (name: string): boolean => name === 'status.json';

// What is followed closely is known already.
async function glance(workspace: string, seen: SeenExecution | null | undefined): Promise<Glance> {
  const status = seen?.status ?? (await readStatus(workspace).catch(() => null));
  const isEnded = status !== null && status.status !== 'running';
  const conflicts = seen?.conflicts ?? (isEnded ? await readConflicts(workspace) : []);
  return { workspace, isOver: isEnded, hasConflicts: conflicts.length > 0 };
}
