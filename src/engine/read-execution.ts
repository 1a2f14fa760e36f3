// What any reader may know of an execution without asking its engine: the files it left.

import { exists, readJson } from '../files/write-file.ts';
import { isLocked } from '../lock/lock.ts';
import type { Event } from '../protocol/event.ts';
import { ExecutionReport } from '../protocol/report.ts';
import { Status } from '../protocol/status.ts';
import { foldEvents } from '../run/run-state.ts';
import { placesIn } from '../run/workspace-places.ts';
import { readJournal } from './journal.ts';

export async function readStatus(workspace: string): Promise<Status | null> {
  const { status } = placesIn(workspace);
  return (await exists(status)) ? readJson(status, Status) : null;
}

export async function readReport(workspace: string): Promise<ExecutionReport | null> {
  const { report } = placesIn(workspace);
  return (await exists(report)) ? readJson(report, ExecutionReport) : null;
}

export const readEvents = async (workspace: string): Promise<Event[]> => readJournal(placesIn(workspace).events).events;

// What was added since the last call; the first one gives all. isWhole: begin again with these.
export function followEvents(workspace: string): () => { events: Event[]; isWhole: boolean } {
  let from = 0;
  return () => {
    const { events, wholeBytes, isWhole } = readJournal(placesIn(workspace).events, from);
    from = wholeBytes;
    return { events, isWhole };
  };
}

export async function isRunning(workspace: string): Promise<{ pid: number | null } | null> {
  const held = await isLocked(placesIn(workspace).lock);
  return held === null ? null : { pid: held.by?.pid ?? null };
}

// The report alone is no proof: after a crash in `baton retry` it may be the one of before.
export async function hasFinished(workspace: string): Promise<boolean> {
  const { report, events } = placesIn(workspace);
  return (await exists(report)) && (foldEvents(readJournal(events).events)?.ended ?? null) !== null;
}
