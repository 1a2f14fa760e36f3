// Tells one orchestrator how its workers stand, when it is time, something happened and its pane is provably free.
// What is about to be sent is on the disk before the first key, and is looked for in the session before anything
// else is sent: a watchdog that was killed neither loses a digest nor sends it twice.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { boxText, deliver, untilReady } from '../src/claude/deliver.ts';
import { leaseHolder } from '../src/claude/pane-lease.ts';
import { PaneBusy, withPane } from '../src/claude/pane-lock.ts';
import type { SessionEar } from '../src/claude/session-ear.ts';
import { hasLeftover, wipeLeftover } from '../src/claude/wipe-leftover.ts';
import { readJson, writeJson } from '../src/files/write-file.ts';
import { digest, digestLine } from '../src/handoff/digest.ts';
import { isQuietHour } from '../src/handoff/quiet-hours.ts';
import { CheckCursor } from '../src/protocol/workers.ts';
import { readPrompt } from '../src/receipts/read-transcript.ts';
import { boxHolds } from '../src/screen/box-holds.ts';
import { readScreen } from '../src/screen/read-screen.ts';
import { openPane, type PaneDoor } from '../src/tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../src/tmux/runtime.ts';
import type { PaneRules } from './handoff-rules.ts';
import { tokensNow } from './readings.ts';
import type { WatchedPane } from './watched-pane.ts';
import { cursorFolder, type Workers } from './workers.ts';

export type CheckOptions = { state: string; workers: Workers; signal: AbortSignal; say(line: string): void };
export type CheckNow = { rules: PaneRules; isLatched: boolean };
export type Orchestrator = {
  beat(now: CheckNow): Promise<void>;
  isSettling(): boolean; // its text may stand in the box: no handoff begins meanwhile
  afterHandoff(): void;
};

const SETTLE_MS = 10_000; // had it been sent, it would have shown itself by then
const AGAIN_MS = 5000; // between two Enters, and after a refusal
const SETTLED_MS = 60_000; // whatever stands in the box by then, nobody waits for it any longer
const MOST_ENTERS = 2;
const BUSY_MS = 2000;
const LOCK_MS = 1000;
const HUMAN_MS = 5000;
// Over the threshold the handoff comes first; one that cannot begin must not silence the checks for good.
const HANDOFF_FIRST_MS = 5 * 60_000;

export async function openOrchestrator(pane: WatchedPane, ear: SessionEar, o: CheckOptions): Promise<Orchestrator> {
  const file = path.join(cursorFolder(o.state), `${pane.key}.json`);
  const door = openPane(pane.identity);
  let cursor = await readCursor(file, pane.identity.pid, o.workers.seenBy(pane).lastN);
  let isForced = cursor.last_at === null; // a session that was never told anything is told how all stand
  let settling = { since: performance.now(), enters: 0, notBefore: 0 };
  let overSince: number | null = null;
  let notBefore = 0;

  const write = async (next: CheckCursor) => {
    await writeJson(file, next, { mode: 0o600 });
    cursor = next;
  };
  if (cursor.pending === null) await write(cursor);

  async function received(): Promise<void> {
    const { id, through } = cursor.pending!;
    await write({ ...cursor, told: Math.max(cursor.told, through), last_at: new Date().toISOString(), pending: null });
    isForced = false;
    o.say(`${pane.name}: digest ${id} received`);
  }

  // One that was begun, by this process or the one before it.
  async function settle(): Promise<void> {
    const pending = cursor.pending!;
    if (await wasTaken(ear, pending)) return received();
    const view = await door.look();
    if (view === null || performance.now() < settling.notBefore) return;
    const reading = readScreen(view.text, view);
    const isOurs = boxHolds(reading.draft, boxText(pending.text));
    const isFree = !view.isInMode && view.holder === null && leaseHolder(view.lease) === null;
    if (isOurs && isFree && settling.enters < MOST_ENTERS) {
      settling = { ...settling, enters: settling.enters + 1, notBefore: performance.now() + AGAIN_MS };
      await inLock(pane, async () => {
        await door.press('Enter');
      });
      return;
    }
    if (isFree) await sweep();
    if (reading.safe_to_type && reading.draft === null && performance.now() - settling.since >= SETTLE_MS) {
      o.say(`${pane.name}: digest ${pending.id} was never sent; a new one is made`);
      await write({ ...cursor, pending: null });
    }
  }

  // What a process of Baton typed here and never sent would keep every digest away.
  async function sweep(): Promise<void> {
    const view = await door.look();
    const isHeld = view === null || view.holder !== null || leaseHolder(view.lease) !== null;
    if (isHeld || !(await hasLeftover(ensureRuntimeFolder(), door, view))) return;
    await inLock(pane, async () => {
      await wipeLeftover(door);
    });
  }

  async function send(): Promise<void> {
    const { workers, events } = o.workers.seenBy(pane);
    const id = `d-${new Date().toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}-${randomUUID().slice(0, 8)}`;
    const made = digest({ id, workers, events, told: cursor.told, lastAt: cursor.last_at, isForced });
    if (made === null) return;
    await sweep();
    if (!(await isFree(door, ear))) {
      notBefore = performance.now() + BUSY_MS;
      return;
    }
    await inLock(pane, async () => {
      if (!(await isFree(door, ear))) return;
      await write({ ...cursor, pending: { id, ...made, at: new Date().toISOString() } });
      settling = { since: performance.now(), enters: 0, notBefore: performance.now() + AGAIN_MS };
      const sent = await deliver(door, ear, made.text, { waitMs: 0, signal: o.signal });
      if (sent.outcome === 'submitted') return received();
      o.say(`${pane.name}: digest ${id} ${sent.outcome}: ${sent.why}`);
      notBefore = performance.now() + AGAIN_MS;
      if (sent.outcome === 'refused') await write({ ...cursor, pending: null });
    });
  }

  return {
    async beat({ rules, isLatched }) {
      if (ear.state().sessionId === null) return;
      if (cursor.pending !== null) return settle();
      const { check_interval, quiet_hours, check_only_when_changed } = rules.settings;
      if (!check_only_when_changed && isTime(cursor.last_at, check_interval)) isForced = true;
      if (performance.now() < notBefore || (!isForced && !isTime(cursor.last_at, check_interval))) return;
      const now = new Date();
      if (isQuietHour(quiet_hours, now.getHours() * 60 + now.getMinutes())) return;
      const { workers, events } = o.workers.seenBy(pane);
      const isNews = events.some(({ n }) => n > cursor.told);
      if (!isNews && (!isForced || (check_only_when_changed && workers.length === 0))) return;
      const tokens = isLatched ? null : await tokensNow({ pane, ear }, Date.now());
      overSince = tokens !== null && tokens >= rules.rules.threshold ? (overSince ?? performance.now()) : null;
      if (overSince !== null && performance.now() - overSince < HANDOFF_FIRST_MS) return;
      await send();
    },
    isSettling: () => cursor.pending !== null && performance.now() - settling.since < SETTLED_MS,
    // The fresh session knows its workers from the document; this is how they stand now.
    afterHandoff() {
      isForced = true;
    },
  };
}

// A clock that was set back must not silence it for long.
function isTime(lastAt: string | null, intervalS: number): boolean {
  const passed = lastAt === null ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(lastAt);
  return passed < 0 || passed >= intervalS * 1000;
}

async function isFree(door: PaneDoor, ear: SessionEar): Promise<boolean> {
  const view = await door.look();
  if (view === null || view.isDead || view.isInMode || view.holder !== null || leaseHolder(view.lease) !== null)
    return false;
  const reading = readScreen(view.text, view);
  if (!reading.safe_to_type || reading.draft !== null) return false;
  const key = view.watchers === 0 ? null : await door.lastKeyAt(view.session).catch(() => null);
  if (key !== null && Date.now() - key * 1000 < HUMAN_MS) return false;
  return !('outcome' in (await untilReady(door, ear, { waitMs: 0 })));
}

async function wasTaken(ear: SessionEar, pending: { id: string; text: string }): Promise<boolean> {
  if (ear.took(digestLine(pending.id))) return true;
  const file = ear.transcript();
  return file !== null && (await readPrompt(file, boxText(pending.text), 0).catch(() => null)) === 'turn';
}

const inLock = (pane: WatchedPane, work: () => Promise<void>): Promise<void> =>
  withPane(
    ensureRuntimeFolder(),
    pane.identity,
    { what: `the watchdog (check of ${pane.name})`, waitMs: LOCK_MS },
    work,
  ).catch(error => {
    if (!(error instanceof PaneBusy)) throw error; // somebody else types: looked at again with the next beat
  });

// Another process in the pane is another orchestrator; what nobody was told yet, it is told.
async function readCursor(file: string, pid: number, lastN: number): Promise<CheckCursor> {
  const known = await readJson(file, CheckCursor).catch(() => null);
  if (known === null) return { version: 1, pid, told: lastN, last_at: null, pending: null };
  return known.pid === pid ? known : { ...known, pid, last_at: null, pending: null };
}
