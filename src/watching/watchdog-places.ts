// Where the watchdog keeps its files, and where it is found. Text only, but for the two folders' own rules.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { stateFolder } from '../files/state-folder.ts';
import { runtimeFolder } from '../tmux/runtime.ts';

export type PanePlaces = ReturnType<typeof panePlaces>;

export function watchdogPlaces() {
  const state = path.join(stateFolder(), 'watchdog');
  return {
    state,
    status: path.join(state, 'status.json'),
    adopted: path.join(state, 'adopted.json'),
    log: path.join(state, 'watchdog.log'),
    breaker: path.join(state, 'breaker.json'),
    lock: path.join(runtimeFolder(), 'watchdog.lock'),
    socket: path.join(runtimeFolder(), 'watchdog.sock'),
  };
}

// Where handoffs are committed that no repository of the project takes.
export const ownRepository = (state = watchdogPlaces().state): string => path.join(state, 'own.git');

export const paneKey = (socket: string, pane: string): string =>
  createHash('sha256').update(`${socket}\0${pane}`).digest('hex').slice(0, 16);

// What the hooks of an adopted pane write to, and read.
export function panePlaces(socket: string, pane: string) {
  const folder = path.join(watchdogPlaces().state, 'panes', paneKey(socket, pane));
  return {
    folder,
    receipts: path.join(folder, 'receipts.ndjson'),
    record: path.join(folder, 'status-record.json'),
    blockCompact: path.join(folder, 'block-compact'),
    order: path.join(folder, 'order'),
  };
}

// What Baton did to the settings of one project, so that it can be undone.
export const projectFile = (folder: string): string =>
  path.join(
    watchdogPlaces().state,
    'projects',
    `${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.json`,
  );
