// Becomes the one engine of a workspace: takes its lock, reads its events back, opens its doors. Refused
// while another process holds it.

import { fileURLToPath } from 'node:url';
import { type Clock, realClock } from '../clock/clock.ts';
import { makeFolder } from '../files/guard-path.ts';
import { makeRedactor } from '../files/redact.ts';
import { acquireLock } from '../lock/lock.ts';
import { watchMemory } from '../process/watch-memory.ts';
import type { Event } from '../protocol/event.ts';
import { Fault } from '../protocol/fault.ts';
import { foldEvents } from '../run/run-state.ts';
import { placesIn } from '../run/workspace-places.ts';
import { connectTmux } from '../tmux/tmux-cli.ts';
import type { EngineContext } from './context.ts';
import { writeEngineLog } from './engine-log.ts';
import { type NewEvent, openJournal, readJournal } from './journal.ts';
import { openRecord, type RunRecord, stampEvent } from './run-record.ts';
import { settleAgents } from './settle-agents.ts';

const TMUX_CONFIG = fileURLToPath(new URL('../../templates/tmux.conf', import.meta.url));
const FOLDERS = ['marks', 'tasks', 'results', 'logs', 'tmux', 'attempts'] as const;

export type HeldWorkspace = { workspace: string; release(): void };

export async function holdWorkspace(workspace: string, what: string): Promise<HeldWorkspace> {
  const places = placesIn(workspace);
  await makeFolder(places.baton, [workspace]);
  const lock = await acquireLock(places.lock, { what });
  if (lock.held) return { workspace, release: lock.release };
  const by = lock.by ? ` by process ${lock.by.pid} (${lock.by.what}, since ${lock.by.since})` : '';
  throw new Fault('refused', `${workspace} is held${by}`, 'wait for it, or use `baton status`, `baton cancel`');
}

export type OpenEngine = { context: EngineContext; record: RunRecord; events: Event[]; close(): void };

// `first` begins a new execution; without it the events must tell of one.
export async function openEngine(
  held: HeldWorkspace,
  first: NewEvent | null,
  onEvent: (event: Event) => void,
): Promise<OpenEngine> {
  const places = placesIn(held.workspace);
  for (const name of FOLDERS) await makeFolder(places[name], [held.workspace]);
  const clock: Clock = realClock;
  const redactor = makeRedactor(process.env);
  const { events, wholeBytes } = readJournal(places.events);
  const journal = openJournal(places.events, wholeBytes);
  if (events.length === 0) {
    if (first === null)
      throw new Fault('invalid', `${held.workspace} holds no execution`, '`baton list` shows where they are');
    const event = stampEvent(first, 1, { clock, redactor });
    journal.append(event);
    await journal.flush();
    events.push(event);
    writeEngineLog(places.engineLog, event, foldEvents(events)!.request.execution_options.log_level);
  }
  const start = foldEvents(events)!;
  const memory = watchMemory();
  const context: EngineContext = {
    executionId: start.request.execution_id,
    places,
    roots: [held.workspace, ...start.allowRoots],
    trusted: start.trusted,
    agents: await settleAgents(start.request, held.workspace),
    tmux: connectTmux(TMUX_CONFIG),
    memory,
    clock,
    redactor,
    environment: process.env,
  };
  const record = openRecord({ context, journal, start, onEvent });
  if (first !== null) onEvent(events[0]!);
  const close = () => {
    memory.stop();
    journal.close();
  };
  return { context, record, events, close };
}
