// Follows one pane for as long as it lives: readings come in by push, and when two of them agree that it is too
// full, or a person asks, the handoff is run to its end. A handoff that a crash interrupted is gone on with first.

import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { openEar, type SessionEar } from '../src/claude/session-ear.ts';
import { writeJson } from '../src/files/write-file.ts';
import { afterFailure, afterSuccess, closedBreaker, isFailure, mayBegin } from '../src/handoff/breaker.ts';
import { freshWatch, latch, observe, type Watch } from '../src/handoff/observe.ts';
import { BreakerRecord, type HandoffReason, type WatchdogStatus } from '../src/protocol/handoff.ts';
import { readStatusRecord, type StatusRecord } from '../src/receipts/read-status-record.ts';
import { openPane } from '../src/tmux/pane-door.ts';
import { act, type Hands } from './act.ts';
import { type PaneRules, rulesFor } from './handoff-rules.ts';
import { openJournal } from './journal.ts';
import { look } from './look.ts';
import { type Ended, runHandoff, type Start } from './run-handoff.ts';
import type { Channel, WatchedPane } from './watched-pane.ts';

export type PaneStatus = WatchdogStatus['panes'][number];
export type HandoffSlots = { running(): number; take(): void; give(): void };

export type WatchOptions = {
  state: string; // the watchdog's own folder
  signal: AbortSignal;
  slots: HandoffSlots;
  tell(status: PaneStatus): void;
  say(line: string): void;
  alert(key: string, text: string): Promise<void>;
};

export type PaneWatch = { handoffNow(reason: HandoffReason): Promise<string>; done: Promise<void> };

const SWEEP_MS = 1000;

export function watchPane(pane: WatchedPane, o: WatchOptions): PaneWatch {
  const wishes: { reason: HandoffReason; answer: (text: string) => void }[] = [];
  let wake = () => {};
  const handoffNow = (reason: HandoffReason) =>
    new Promise<string>(answer => {
      wishes.push({ reason, answer });
      wake();
    });
  const wait = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const done = follow(pane, o, { wishes, wait, ring: () => wake() });
  return { handoffNow, done };
}

type Bell = {
  wishes: { reason: HandoffReason; answer: (text: string) => void }[];
  wait(ms: number): Promise<void>;
  ring(): void;
};

async function follow(pane: WatchedPane, o: WatchOptions, bell: Bell): Promise<void> {
  if (pane.channel === null) return followBlindly(pane, o, bell);
  const ear = await openEar({ receipts: pane.channel.receipts, now: Date.now, onSign: bell.ring });
  const watcher = watchRecord(pane.channel, bell.ring);
  let memory: Watch = freshWatch;
  let handoffs = 0;
  try {
    const unfinished = await openJournal(journalOf(pane, o)).read();
    if (unfinished.length > 0) {
      handoffs += 1;
      memory = await handOver(pane, o, ear, { memory, start: startOf(unfinished), bell });
    }
    while (!o.signal.aborted) {
      const record = await readStatusRecord(pane.channel.record).catch(() => null);
      const rules = await rulesFor(pane, record?.window ?? null).catch(error => {
        o.say(`${pane.name}: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      });
      o.tell(statusOf(pane, ear, record, rules, null));
      if (rules !== null) {
        const due = await dueNow(pane, o, { ear, record, rules, memory, handoffs, bell });
        memory = due.memory;
        if (due.start !== null) {
          handoffs += 1;
          memory = await handOver(pane, o, ear, { memory, start: due.start, bell });
          continue;
        }
      }
      await bell.wait(SWEEP_MS);
    }
  } finally {
    watcher?.close();
    ear.close();
    for (const wish of bell.wishes.splice(0)) wish.answer('the pane is not watched any more');
  }
}

// Without hooks there is no receipt to prove anything by: it is shown, and nothing is typed.
async function followBlindly(pane: WatchedPane, o: WatchOptions, bell: Bell): Promise<void> {
  while (!o.signal.aborted) {
    o.tell({
      socket: pane.identity.socket,
      pane: pane.identity.pane,
      agent: pane.agent,
      session_id: null,
      tokens: null,
      threshold: null,
      handoff: null,
      lacks: pane.lacks,
    });
    for (const wish of bell.wishes.splice(0))
      wish.answer('refused: this pane has no hooks, so nothing could be proven; adopt it with hooks');
    await bell.wait(SWEEP_MS * 5);
  }
}

type Due = {
  ear: SessionEar;
  record: StatusRecord | null;
  rules: PaneRules;
  memory: Watch;
  handoffs: number;
  bell: Bell;
};

async function dueNow(pane: WatchedPane, o: WatchOptions, d: Due): Promise<{ memory: Watch; start: Start | null }> {
  const { sessionId } = d.ear.state();
  const wish = d.bell.wishes.shift();
  if (wish !== undefined) {
    if (sessionId === null) wish.answer('refused: no session of Claude Code was heard in this pane');
    else {
      const start = newStart(pane, wish.reason, sessionId, d.record?.tokens ?? null);
      wish.answer(`begun: handoff ${start.id}`);
      return { memory: latch(d.memory, sessionId), start };
    }
  }
  if (d.record === null || d.record.tokens === null) return { memory: d.memory, start: null };
  const { tokens, session_id, read_at } = d.record;
  const seen = observe(
    d.memory,
    { tokens, sessionId: session_id, source: 'record', at: read_at },
    sessionId,
    d.rules.rules.threshold,
  );
  // One record is one reading; the transcript's own usage is the second source.
  const twice = seen.due === 'no' && seen.watch.first !== null ? await secondReading(d, seen.watch, sessionId) : seen;
  if (twice.due === 'alert') await o.alert(`${pane.key}/estimate`, twice.text);
  if (twice.due !== 'handoff') return { memory: twice.watch, start: null };
  const { settings } = d.rules;
  const leave = mayBegin(
    {
      running: o.slots.running(),
      done: d.handoffs,
      costUsd: d.record.cost_usd,
      isSessionLatched: false,
      isManual: false,
    },
    { maxConcurrent: settings.max_concurrent_handoffs, maxHandoffs: settings.max_handoffs ?? null, maxCostUsd: null },
    await readBreaker(o.state),
    Date.now(),
  );
  if (leave.may)
    return { memory: twice.watch, start: newStart(pane, 'context threshold', twice.sessionId, twice.tokens) };
  if (leave.isForNow) return { memory: d.memory, start: null };
  await o.alert(
    `${pane.key}/${twice.sessionId}`,
    `${pane.name} is over its threshold and is not handed off: ${leave.why}`,
  );
  return { memory: twice.watch, start: null };
}

async function secondReading(d: Due, memory: Watch, present: string | null) {
  const { readLastUsage } = await import('../src/receipts/read-transcript.ts');
  const file = d.ear.transcript();
  const usage = file === null ? null : await readLastUsage(file).catch(() => null);
  if (usage === null || usage.session_id === null || usage.time === null) return { due: 'no' as const, watch: memory };
  const reading = { tokens: usage.tokens, sessionId: usage.session_id, source: 'transcript' as const, at: usage.time };
  return observe(memory, reading, present, d.rules.rules.threshold);
}

const newStart = (pane: WatchedPane, reason: HandoffReason, sessionId: string, tokensBefore: number | null): Start => ({
  id: `h-${new Date().toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}-${randomUUID().slice(0, 8)}`,
  pane: pane.name,
  reason,
  sessionId,
  tokensBefore,
});

const startOf = (journal: { state: unknown }[]): Start => (journal.at(-1)!.state as { handoff: Start }).handoff;

async function handOver(
  pane: WatchedPane,
  o: WatchOptions,
  ear: SessionEar,
  d: { memory: Watch; start: Start; bell: Bell },
): Promise<Watch> {
  const record = await readStatusRecord(pane.channel!.record).catch(() => null);
  const rules = await rulesFor(pane, record?.window ?? null);
  const door = openPane(pane.identity);
  const hands: Hands = {
    pane,
    door,
    ear,
    rules: rules.rules,
    ownRepository: path.join(o.state, 'own.git'),
    still: { text: '', since: 0 },
    places: { records: path.join(o.state, 'handoffs'), alerts: path.join(o.state, 'alerts.ndjson') },
    task: rules.rules.task,
    say: o.say,
    alert: o.alert,
    signal: o.signal,
  };
  for (const folder of [
    path.join(o.state, 'handoffs'),
    path.join(o.state, 'journals', 'done'),
    path.dirname(rules.rules.documentPath),
  ])
    await mkdir(folder, { recursive: true });
  const journal = openJournal(journalOf(pane, o));
  o.slots.take();
  try {
    const since = new Date().toISOString();
    const world = {
      now: Date.now,
      sleep: (ms: number) => d.bell.wait(ms),
      look: (state: Parameters<typeof look>[1]) => {
        o.tell(statusOf(pane, ear, record, rules, { id: d.start.id, state: state.name, since }));
        return look(hands, state);
      },
      act: (effect: Parameters<typeof act>[1], state: Parameters<typeof act>[2]) => act(hands, effect, state),
      journal,
    };
    const ended = await runHandoff(world, rules.rules, d.start, o.signal);
    return ended === null ? d.memory : await closeJournal(pane, o, ended, d.memory);
  } finally {
    o.slots.give();
  }
}

async function closeJournal(pane: WatchedPane, o: WatchOptions, ended: Ended, memory: Watch): Promise<Watch> {
  const { handoff, how } = ended;
  await rename(journalOf(pane, o), path.join(o.state, 'journals', 'done', `${handoff.id}.ndjson`));
  const breaker = await readBreaker(o.state);
  const next = isFailure(how) ? afterFailure(breaker, Date.now()) : afterSuccess(breaker);
  if (next !== breaker) await writeJson(breakerFile(o.state), next);
  o.say(`${pane.name}: handoff ${handoff.id} ended as ${how}: ${ended.why}`);
  const latched = latch(memory, handoff.sessionId);
  return how === 'futile' && handoff.sessionAfter !== null ? latch(latched, handoff.sessionAfter) : latched;
}

const journalOf = (pane: WatchedPane, o: WatchOptions): string => path.join(o.state, 'journals', `${pane.key}.ndjson`);
const breakerFile = (state: string): string => path.join(state, 'breaker.json');

async function readBreaker(state: string): Promise<BreakerRecord> {
  try {
    return BreakerRecord.parse(JSON.parse(await readFile(breakerFile(state), 'utf8')));
  } catch {
    return closedBreaker;
  }
}

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

function statusOf(
  pane: WatchedPane,
  ear: SessionEar,
  record: StatusRecord | null,
  rules: PaneRules | null,
  handoff: PaneStatus['handoff'],
): PaneStatus {
  const session_id = ear.state().sessionId;
  return {
    socket: pane.identity.socket,
    pane: pane.identity.pane,
    agent: pane.agent,
    session_id,
    tokens: record !== null && record.session_id === session_id ? record.tokens : null,
    threshold: rules?.rules.threshold ?? null,
    handoff,
    lacks: pane.lacks,
  };
}
