// Follows one pane for as long as it lives: readings come in by push, and when two of them agree that it is too
// full, or a person asks, the handoff is run to its end. A handoff that a crash interrupted is gone on with first.

import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { openEar, type SessionEar } from '../src/claude/session-ear.ts';
import { claudeConfigFolder } from '../src/claude/session-register.ts';
import { openTranscriptEar } from '../src/claude/transcript-ear.ts';
import type { Limits } from '../src/handoff/handoff-types.ts';
import { Fault } from '../src/protocol/fault.ts';
import type { HandoffReason } from '../src/protocol/handoff.ts';
import { type Bell, makeBell } from './bell.ts';
import { keepCap, readCap } from './caps.ts';
import { handOver, resumeLate, unfinished } from './hand-over.ts';
import { rulesFor } from './handoff-rules.ts';
import { isDue } from './is-due.ts';
import type { IndexKeeper } from './keep-index.ts';
import { isCleared, unprovenAt, unprovenIn } from './late-clear.ts';
import { openOrchestrator } from './orchestrate.ts';
import { type PaneStatus, statusOf } from './pane-status.ts';
import { latchBy, pastOf } from './past-handoffs.ts';
import { readingsOf } from './readings.ts';
import type { HandoffSlots } from './slots.ts';
import { wakeByScreen } from './wake-by-screen.ts';
import type { Channel, WatchedPane } from './watched-pane.ts';
import type { Workers } from './workers.ts';

export type WatchOptions = {
  state: string; // the watchdog's own folder
  signal: AbortSignal;
  slots: HandoffSlots;
  workers?: Workers | undefined; // without them no orchestrator is told anything
  index?: IndexKeeper | undefined;
  limits?: Partial<Limits> | undefined; // other waits than src/handoff/handoff-limits.ts has, for tests
  tell(status: PaneStatus): void;
  say(line: string): void;
  alert(key: string, text: string): Promise<void>;
};

export type PaneWatch = { handoffNow(reason: HandoffReason): Promise<string>; done: Promise<void> };

// Hooks, records and, where there are none, tmux itself push: a sweep only finds what a lost notice hid.
const SWEEP_MS = 5000;
const LOOK_MS = 1000;
const RULES_MS = 3000;

export function watchPane(pane: WatchedPane, o: WatchOptions): PaneWatch {
  const bell = makeBell();
  return { handoffNow: bell.wish, done: follow(pane, o, bell) };
}

async function follow(pane: WatchedPane, o: WatchOptions, bell: Bell): Promise<void> {
  const ear = await earOf(pane, bell.ring);
  const watcher = pane.channel === null ? null : watchRecord(pane.channel, bell.ring);
  const screen = pane.channel === null ? wakeByScreen(pane, bell.ring) : null;
  const past = await pastOf(o.state, pane);
  let { watch: memory, handoffs } = past;
  let unproven = unprovenIn(past.records, pane.name, ear);
  let paused = await readCap(pane);
  let start = await unfinished(pane, o.state);
  let warned = '';
  const warn = async (text: string) => {
    if (text !== '' && text !== warned) await o.alert(`${pane.key}/${text}`, `${pane.name}: ${text}`);
    warned = text;
  };
  const check =
    pane.role === 'orchestrator' && o.workers ? await openOrchestrator(pane, ear, { ...o, workers: o.workers }) : null;
  try {
    while (!o.signal.aborted) {
      if (start !== null) {
        const task = { start, ear, wait: bell.wait };
        const ended = await bell.during(start.id, () => handOver(pane, o, task));
        if (ended !== null) memory = latchBy(memory, ended.how, ended.handoff);
        unproven = ended?.how === 'clear_unproven' ? unprovenAt(start.id, start.sessionId, ended.endedAt) : null;
        if (ended?.handoff.sessionAfter != null) handoffs += 1;
        start = null;
        check?.afterHandoff();
        continue;
      }
      const readings = await readingsOf({ pane, ear });
      const rules = await rulesFor(pane, readings.window, { maxAgeMs: RULES_MS }).catch(async error => {
        const cure = error instanceof Fault ? `; ${error.cure}` : '';
        const why = `no handoff is possible here: ${error instanceof Error ? error.message : String(error)}${cure}`;
        bell.nextWish()?.answer(`refused: ${why}`);
        await warn(why);
        return null;
      });
      o.tell({ ...statusOf(pane, ear, readings.tokens, rules, null), paused });
      if (rules !== null) await screen?.over(rules.rules.threshold);
      if (rules !== null && readings.window !== null) await warn(rules.warnings.join('; '));
      if (rules !== null && !check?.isSettling()) {
        const wish = bell.nextWish();
        const due = await isDue({ pane, ear, readings, rules, memory, handoffs, wish }, o);
        ({ memory, start } = due);
        const isOver = readings.tokens === null ? null : readings.tokens >= rules.rules.threshold;
        paused = await keepCap(pane, { before: paused, capped: due.capped, isOver: start === null && isOver });
        if (start === null && unproven !== null && isCleared(unproven, ear, Date.now())) {
          const late = { id: unproven.id, sessionAfter: ear.state().sessionId! };
          start = await resumeLate(pane, o.state, rules.rules, late);
          unproven = null;
        }
      }
      // The handoff comes first: a digest would only make its context fuller.
      const isLatched = memory.latched.includes(ear.state().sessionId ?? '');
      if (rules !== null && start === null) await check?.beat({ rules, isLatched });
      if (start === null) await bell.wait((watcher ?? screen) === null || check !== null ? LOOK_MS : SWEEP_MS);
    }
  } finally {
    watcher?.close();
    screen?.close();
    ear.close();
    bell.close();
  }
}

// Hooks push; without them the transcript is listened to.
const earOf = ({ channel, configFolder, identity }: WatchedPane, onSign: () => void): Promise<SessionEar> =>
  channel === null
    ? openTranscriptEar({ config: configFolder ?? claudeConfigFolder(), panePid: identity.pid, now: Date.now, onSign })
    : openEar({ receipts: channel.receipts, now: Date.now, onSign, sweepMs: SWEEP_MS });

function watchRecord(channel: Channel, ring: () => void): FSWatcher | null {
  try {
    const watcher = watch(path.dirname(channel.record), { persistent: false }, (_, name) => {
      if (name === null || name === path.basename(channel.record)) ring();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null; // the sweep reads it all the same, a little later
  }
}
