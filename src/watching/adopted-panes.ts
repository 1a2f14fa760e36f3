// The list of panes that users gave to the watchdog. Being on it is what allows keys to a tmux server that is
// not Baton's own.

import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from '../files/write-file.ts';
import { acquireLock } from '../lock/lock.ts';
import { Fault } from '../protocol/fault.ts';
import { type AdoptedPane, AdoptedPanes } from '../protocol/handoff.ts';
import type { HookedPane } from './adopt-settings.ts';
import { makeStateFolder } from './make-state-folder.ts';
import { putHooks, type TakenOut, takeHooksOut } from './project-hooks.ts';
import { panePlaces, watchdogPlaces } from './watchdog-places.ts';

const WAIT_MS = 5000;

export async function readAdopted(): Promise<AdoptedPane[]> {
  try {
    return (await readJson(watchdogPlaces().adopted, AdoptedPanes)).panes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

// Everything that depends on the list is done while nobody else changes it.
export async function changeAdopted<T>(
  change: (panes: AdoptedPane[], write: (panes: AdoptedPane[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { state, adopted } = watchdogPlaces();
  makeStateFolder(state);
  const lock = await hold(`${adopted}.lock`);
  try {
    return await change(await readAdopted(), panes => writeJson(adopted, { version: 1, panes }, { mode: 0o600 }));
  } finally {
    lock.release();
  }
}

async function hold(file: string) {
  for (const until = performance.now() + WAIT_MS; ; await sleep(50)) {
    const lock = await acquireLock(file, { what: 'a change of the adopted panes' });
    if (lock.held) return lock;
    if (performance.now() > until)
      throw new Fault('refused', `process ${lock.by?.pid ?? '?'} is changing the adopted panes`, 'try again');
  }
}

export const isSame = (a: AdoptedPane, b: { socket: string; pane: string }): boolean =>
  a.socket === b.socket && a.pane === b.pane;

const hookedIn = (panes: readonly AdoptedPane[], folder: string): HookedPane[] =>
  panes
    .filter(each => each.folder === folder && each.has_hooks)
    .map(({ socket, pane }) => ({ socket, pane, places: panePlaces(socket, pane) }));

// Its settings.local.json as this list wants it. To be called while the list is held.
export async function settleHooks(panes: readonly AdoptedPane[], folder: string): Promise<TakenOut | 'put'> {
  const hooked = hookedIn(panes, folder);
  if (hooked.length === 0) return takeHooksOut(folder);
  await putHooks(folder, hooked);
  return 'put';
}

// Until the first word of a session that was given hooks.
export const lacksWhileSilent = 'anything from its hooks yet: they may count from its restart on only';

// What a pane without hooks of ours cannot give.
export const lacksWithoutHooks: readonly string[] = [
  'compaction held off during a handoff (PreCompact): it may strike',
  'receipts of prompts, turn ends and /clear: the transcript has to tell them',
  'pushed context figures: those of the transcript and of your status line count',
  'orders without a key to a session that is past its hard threshold',
];
