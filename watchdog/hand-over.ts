// One handoff of one pane, from its beginning, or from where its journal says a crash left it, to its end.

import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SessionEar } from '../src/claude/session-ear.ts';
import { makeFolder } from '../src/files/guard-path.ts';
import { isFailure } from '../src/handoff/breaker.ts';
import type { Rules } from '../src/handoff/handoff-types.ts';
import { openPane } from '../src/tmux/pane-door.ts';
import { ownRepository } from '../src/watching/watchdog-places.ts';
import { act, type Hands } from './act.ts';
import { askSeldom } from './ask-seldom.ts';
import { noteFailure } from './breaker-file.ts';
import { rulesFor } from './handoff-rules.ts';
import { openJournal } from './journal.ts';
import { takeUpAgain } from './late-clear.ts';
import { look } from './look.ts';
import { statusOf } from './pane-status.ts';
import { readingsOf } from './readings.ts';
import { type Ended, runHandoff, type Start } from './run-handoff.ts';
import { stoppingAt } from './stop-at.ts';
import { sweepHalfWritten } from './sweep-leftovers.ts';
import type { WatchOptions } from './watch-pane.ts';
import type { WatchedPane } from './watched-pane.ts';
import type { WorkerView } from './workers.ts';

export type Task = { start: Start; ear: SessionEar; wait(ms: number): Promise<void> };

// Null: told to stop before the end.
export async function handOver(given: WatchedPane, o: WatchOptions, task: Task): Promise<Ended | null> {
  const { ear } = task;
  const { window } = await readingsOf({ pane: given, ear });
  const rules = await rulesFor(given, window, { places: task.start.places });
  const { root, folder, documentPath, templatePath, archiveDir, archiveStem } = rules.rules;
  const start = { ...task.start, places: { root, folder, documentPath, templatePath, archiveDir, archiveStem } };
  const pane = { ...given, folder };
  Object.assign(rules.rules.limits, o.limits);
  const hands: Hands = {
    pane,
    door: openPane(pane.identity),
    ear,
    rules: rules.rules,
    ownRepository: ownRepository(o.state),
    still: { text: '', since: 0 },
    asked: { saved: askSeldom(), proof: askSeldom() },
    places: { records: path.join(o.state, 'handoffs'), alerts: path.join(o.state, 'alerts.ndjson') },
    task: rules.rules.task,
    index: () => (rules.indexPath && o.index?.bringUpToDate(pane, rules.indexPath)) || Promise.resolve(null),
    workers: () => (pane.role === 'orchestrator' && o.workers ? o.workers.seenBy(pane) : noWorkers),
    say: o.say,
    alert: o.alert,
    signal: o.signal,
  };
  for (const own of [hands.places.records, doneIn(o.state)]) await mkdir(own, { recursive: true });
  // Where it leads elsewhere by now, the look says so and nothing is written.
  await makeFolder(path.dirname(documentPath), [root]).catch(() => {});
  for (const written of [path.dirname(documentPath), archiveDir]) await sweepHalfWritten(written).catch(() => {});
  const most = rules.settings.max_concurrent_handoffs;
  try {
    const since = new Date().toISOString();
    const world: Parameters<typeof runHandoff>[0] = {
      now: Date.now,
      sleep: task.wait,
      look: async state => {
        const seen = await look(hands, state);
        o.tell(statusOf(pane, ear, seen?.tokens ?? null, rules, { id: start.id, state: state.name, since }));
        return seen;
      },
      act: (effect, state) => act(hands, effect, state),
      journal: stoppingAt(openJournal(journalOf(pane, o.state))),
      room: {
        take: isForced => o.slots.take(start.id, isForced ? Number.POSITIVE_INFINITY : most),
        give: () => o.slots.give(start.id),
      },
    };
    const run = () => runHandoff(world, rules.rules, start, o.signal);
    const ended = await (o.index?.whileOurs(documentPath, run) ?? run());
    if (ended !== null) await close(pane, o, ended);
    // Nobody may come to go on with it, and the agent works on.
    else if (pane.channel !== null) await rm(pane.channel.blockCompact, { force: true });
    return ended;
  } finally {
    o.slots.give(start.id);
  }
}

// What a crash left unfinished here; null: nothing.
export async function unfinished(pane: WatchedPane, state: string): Promise<Start | null> {
  const last = (await openJournal(journalOf(pane, state)).read()).at(-1);
  return last === undefined ? null : (last.state as unknown as { handoff: Start }).handoff;
}

async function close(pane: WatchedPane, o: WatchOptions, ended: Ended): Promise<void> {
  const { handoff, how } = ended;
  await rename(journalOf(pane, o.state), path.join(doneIn(o.state), `${handoff.id}.ndjson`));
  if (isFailure(how)) await noteFailure(o.state);
  o.say(`${pane.name}: handoff ${handoff.id} ended as ${how}: ${ended.why}`);
}

// A /clear that came late: the handoff that gave up on it is gone on with. Null: its journal is not there any more.
export async function resumeLate(
  pane: WatchedPane,
  state: string,
  rules: Rules,
  o: { id: string; sessionAfter: string },
): Promise<Start | null> {
  const files = { done: path.join(doneIn(state), `${o.id}.ndjson`), journal: journalOf(pane, state) };
  return (await takeUpAgain(files, o.sessionAfter, rules)) ? unfinished(pane, state) : null;
}

const noWorkers: WorkerView = { workers: [], events: [], lastN: 0 };

const journalOf = (pane: WatchedPane, state: string): string => path.join(state, 'journals', `${pane.key}.ndjson`);
const doneIn = (state: string): string => path.join(state, 'journals', 'done');
