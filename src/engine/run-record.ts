// The execution's memory: appends an event, folds it into the state, tells whoever listens. The only
// way anything about a run changes.

import { iso } from '../clock/clock.ts';
import type { Event } from '../protocol/event.ts';
import { applyEvent, type RunState } from '../run/run-state.ts';
import type { EngineContext } from './context.ts';
import { writeEngineLog } from './engine-log.ts';
import type { Journal, NewEvent } from './journal.ts';

export type RunRecord = {
  state(): RunState;
  append(event: NewEvent): void;
  flush(): Promise<void>;
};

export type RecordOptions = {
  context: EngineContext;
  journal: Journal;
  start: RunState;
  onEvent: (event: Event) => void;
};

export function openRecord({ context, journal, start, onEvent }: RecordOptions): RunRecord {
  let state = start;
  return {
    state: () => state,
    append(made) {
      const event = stampEvent(made, state.lastId + 1, context);
      journal.append(event);
      state = applyEvent(state, event);
      writeEngineLog(context.places.engineLog, event, state.request.execution_options.log_level);
      onEvent(event);
    },
    flush: () => journal.flush(),
  };
}

// Secrets are taken out here, before the line reaches the disk or anybody else.
export function stampEvent(made: NewEvent, id: number, context: Pick<EngineContext, 'clock' | 'redactor'>): Event {
  const { type, agent, data } = made;
  return { id, time: iso(context.clock.now()), type, agent, data: context.redactor.value(data) } as Event;
}
