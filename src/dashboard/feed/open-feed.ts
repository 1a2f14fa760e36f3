// The one place where the dashboard meets the world it shows: follows all executions and the watchdog by their
// files and tells, at most a few times a second, that something changed. Nothing is asked for while nothing runs.

import { connect } from 'node:net';

import { readJson } from '../../files/write-file.ts';
import { WatchdogStatus } from '../../protocol/handoff.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import { listExecutions, registry } from '../../watching/list-executions.ts';
import { watchdogPlaces } from '../../watching/watchdog-places.ts';
import { agentKey, nothingSeen, paneRowKey, type Seen } from '../model/seen.ts';
import { coalesce } from './coalesce.ts';
import { type FollowedExecution, followExecution } from './follow-execution.ts';
import { keepHistories } from './history.ts';
import { watchPlace } from './watch-place.ts';

const MOST_ENDED = 12; // executions that ended long ago are for `baton list`
const HEALTH_MS = 3000; // how soon a silent engine, watchdog or tmux is noticed
const WATCHDOG_SILENT_MS = 10_000; // it writes every two seconds

export type Feed = {
  seen(): Seen;
  subscribe(listener: () => void): () => void;
  refresh(): void;
  close(): void;
};

export function openFeed(): Feed {
  const ownSocket = tmuxSocket();
  const followed = new Map<string, FollowedExecution>();
  const listeners = new Set<() => void>();
  const thresholds = new Map<string, number>();
  let order: string[] = [];
  let watchdog: Seen['watchdog'] = { state: 'off', status: null };
  let tmux: Seen['tmux'] = 'unknown';
  let current = nothingSeen(ownSocket);

  const tell = coalesce(() => {
    current = { executions: inOrder(), watchdog, tmux, ownSocket, histories: histories.points, thresholds };
    gather();
    for (const listener of listeners) listener();
  });
  const histories = keepHistories(tell);
  const inOrder = () => order.flatMap(workspace => followed.get(workspace)?.seen() ?? []);

  function gather(): void {
    for (const { workspace, status } of current.executions) {
      for (const { agent_name, attempt, claude, pane } of status.agents) {
        if (claude === null) continue;
        const key = agentKey(workspace, agent_name);
        const watched = watchdog.status?.panes.find(each => each.socket === ownSocket && each.pane === pane);
        if (watched?.threshold != null) thresholds.set(key, watched.threshold);
        histories.seed(key, { workspace, name: agent_name, attempt });
        if (claude.context !== null) histories.add(key, claude.context.tokens, Date.parse(claude.context.at));
      }
    }
    for (const { socket, pane, tokens } of watchdog.status?.panes ?? []) {
      if (socket !== ownSocket && tokens !== null) histories.add(paneRowKey(socket, pane), tokens, Date.now());
    }
  }

  let listing: Promise<void> = Promise.resolve();
  const list = () => {
    listing = listing.then(async () => {
      const all = await listExecutions().catch(() => []);
      let ended = 0;
      const kept: string[] = [];
      for (const { id, workspace } of all) {
        if (ended >= MOST_ENDED) break;
        const one = followed.get(workspace) ?? followExecution(id, workspace, tell);
        if (!followed.has(workspace)) await one.look();
        followed.set(workspace, one);
        kept.push(workspace);
        if (one.seen()?.status.status !== 'running') ended += 1;
      }
      order = kept;
      for (const [workspace, one] of followed) {
        if (kept.includes(workspace)) continue;
        one.close();
        followed.delete(workspace);
      }
      tell();
    });
  };

  const { state, status: statusFile } = watchdogPlaces();
  const lookAtWatchdog = async () => {
    const status = await readJson(statusFile, WatchdogStatus).catch(() => null);
    const isSilent = status !== null && Date.now() - Date.parse(status.heartbeat_at) > WATCHDOG_SILENT_MS;
    const next = { state: status === null ? 'off' : isSilent ? 'silent' : 'on', status } as const;
    const isNews = told(next) !== told(watchdog);
    watchdog = next;
    if (isNews) tell(); // its heartbeat alone is nothing to redraw for
  };

  const isAnythingRunning = () => current.executions.some(({ status }) => status.status === 'running');
  const health = setInterval(() => {
    if (!isAnythingRunning() && watchdog.state === 'off') return;
    void lookAtWatchdog();
    for (const one of followed.values()) {
      const seen = one.seen();
      if (seen?.status.status === 'running' && Date.now() - Date.parse(seen.status.updated_at) > 2 * HEALTH_MS)
        void one.look();
    }
    if (!isAnythingRunning()) return;
    void isListening(ownSocket).then(isUp => {
      const next = isUp ? 'up' : 'gone';
      if (next === tmux) return;
      tmux = next;
      tell();
    });
  }, HEALTH_MS).unref();

  const stops = [
    watchPlace(
      registry(),
      name => name.endsWith('.json'),
      () => list(),
    ),
    watchPlace(
      state,
      name => name === 'status.json',
      () => void lookAtWatchdog(),
    ),
  ];
  list();
  void lookAtWatchdog();

  return {
    seen: () => current,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh: () => {
      list();
      for (const one of followed.values()) void one.look();
    },
    close: () => {
      clearInterval(health);
      tell.cancel();
      for (const stop of stops) stop();
      for (const one of followed.values()) one.close();
    },
  };
}

function told({ state, status }: Seen['watchdog']): string {
  return JSON.stringify([state, status && { ...status, heartbeat_at: null }]);
}

// A server that is gone leaves its socket behind; only knocking tells.
function isListening(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const door = connect(socket);
    const end = (is: boolean) => {
      door.destroy();
      resolve(is);
    };
    door.once('connect', () => end(true));
    door.once('error', () => end(false));
    door.setTimeout(1000, () => end(false));
  });
}
