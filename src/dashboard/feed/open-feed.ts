// The one place where the dashboard meets the world it shows: follows all executions and the watchdog by their
// files and tells, at most a few times a second, that something changed. Nothing is asked for while nothing runs.

import { connect } from 'node:net';

import { watchPlace } from '../../files/watch-place.ts';
import { readJson } from '../../files/write-file.ts';
import { WatchdogStatus } from '../../protocol/handoff.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import { watchdogPlaces } from '../../watching/watchdog-places.ts';
import { agentKey, nothingSeen, paneRowKey, type Seen } from '../model/seen.ts';
import { coalesce } from './coalesce.ts';
import { followAll } from './follow-all.ts';
import { keepHistories } from './history.ts';

const MOST_PAST = 60; // agents that ended whose transcripts are read for a curve: reading costs
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
  const listeners = new Set<() => void>();
  const thresholds = new Map<string, number>();
  let watchdog: Seen['watchdog'] = { state: 'off', status: null };
  let tmux: Seen['tmux'] = 'unknown';
  let current = nothingSeen(ownSocket);

  const tell = coalesce(() => {
    // Whoever is read first is not the first: the cursor would be put on a row of the middle.
    if (!followed.isReady()) return;
    current = { executions: inOrder(), watchdog, tmux, ownSocket, histories: histories.points, thresholds };
    gather();
    for (const listener of listeners) listener();
  });
  const histories = keepHistories(tell);
  const followed = followAll(tell);
  const inOrder = () => followed.shown().flatMap(one => one.seen() ?? []);

  function gather(): void {
    let past = 0;
    for (const { workspace, status, claude: known } of current.executions) {
      for (const { agent_name, attempt, claude, pane } of status.agents) {
        const figures = known.get(agent_name);
        if (figures === undefined) continue;
        const key = agentKey(workspace, agent_name);
        const watched = watchdog.status?.panes.find(each => each.socket === ownSocket && each.pane === pane);
        if (pane !== null && watched?.threshold != null) thresholds.set(key, watched.threshold);
        if (claude === null) past += 1;
        if (claude !== null || past <= MOST_PAST)
          histories.seed(key, { workspace, name: agent_name, attempt, sessions: figures.sessions });
        if (claude?.context) histories.add(key, claude.context.tokens, Date.parse(claude.context.at));
      }
    }
    for (const { socket, pane, tokens } of watchdog.status?.panes ?? []) {
      if (socket !== ownSocket && tokens !== null) histories.add(paneRowKey(socket, pane), tokens, Date.now());
    }
  }

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
    for (const one of followed.shown()) {
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
      state,
      name => name === 'status.json',
      () => void lookAtWatchdog(),
    ),
  ];
  void lookAtWatchdog();

  return {
    seen: () => current,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh: followed.refresh,
    close: () => {
      clearInterval(health);
      tell.cancel();
      for (const stop of stops) stop();
      followed.close();
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
