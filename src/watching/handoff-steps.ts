// Which step of a handoff runs in which pane of Baton's own tmux just now, as the watchdog writes it down.

import { watchPlace } from '../files/watch-place.ts';
import { readJson } from '../files/write-file.ts';
import { WatchdogStatus } from '../protocol/handoff.ts';
import { tmuxSocket } from '../tmux/runtime.ts';
import { watchdogPlaces } from './watchdog-places.ts';

const SILENT_MS = 10_000; // it writes every two seconds; an older word is nobody's

export type HandoffSteps = ReadonlyMap<string, string>; // by pane

export async function readHandoffSteps(): Promise<HandoffSteps> {
  const status = await readJson(watchdogPlaces().status, WatchdogStatus).catch(() => null);
  if (status === null || Date.now() - Date.parse(status.heartbeat_at) > SILENT_MS) return new Map();
  const own = status.panes.filter(({ socket }) => socket === tmuxSocket());
  return new Map(own.flatMap(({ pane, handoff }) => (handoff === null ? [] : [[pane, handoff.state] as const])));
}

// Tells the steps whenever they changed.
export function followHandoffSteps(tell: (steps: HandoffSteps) => void): () => void {
  let before = '';
  const look = async () => {
    const steps = await readHandoffSteps();
    const now = JSON.stringify([...steps]);
    if (now !== before) tell(steps);
    before = now;
  };
  const stop = watchPlace(
    watchdogPlaces().state,
    name => name === 'status.json',
    () => void look(),
  );
  void look();
  return stop;
}
