// The watchdog itself: looks for panes, follows each, takes wishes, tells its health, until it is told to end.
// One for each user, by the lock. Ending it ends no agent; what was half done is gone on with at the next start.

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../src/lock/lock.ts';
import { Fault } from '../src/protocol/fault.ts';
import { ensureRuntimeFolder } from '../src/tmux/runtime.ts';
import type { WatchdogWish } from '../src/watching/ask-watchdog.ts';
import { makeStateFolder } from '../src/watching/make-state-folder.ts';
import { watchdogPlaces } from '../src/watching/watchdog-places.ts';
import { openAdoptedList } from './adopted.ts';
import { openAlertNotices } from './alert-notices.ts';
import { openAlerts } from './alerts.ts';
import { openOrphanage } from './close-orphans.ts';
import { type Control, openControl } from './control.ts';
import { findPanes } from './find-panes.ts';
import { openHealth } from './health.ts';
import { openIndex } from './keep-index.ts';
import { openRoster } from './roster.ts';
import { sweepState } from './sweep-leftovers.ts';
import { openWorkers } from './workers.ts';

const LOOK_MS = 2000;
// A wish is answered within the time its sender waits, whatever the pane is doing.
const BEGIN_MS = 10_000;

export type RunOptions = { signal: AbortSignal; say(line: string): void };

export async function runWatchdog({ signal, say }: RunOptions): Promise<void> {
  const { state, lock: file, status } = watchdogPlaces();
  ensureRuntimeFolder();
  makeStateFolder(state);
  const lock = await acquireLock(file, { what: 'the watchdog' });
  if (!lock.held) {
    const by = lock.by === null ? '' : ` as process ${lock.by.pid}, since ${lock.by.since}`;
    throw new Fault('refused', `a watchdog runs already${by}`, '`baton watchdog status` shows it');
  }
  try {
    await watchAll({ signal, say: line => say(`${new Date().toISOString()} ${line}`) }, state);
    await rm(status, { force: true });
  } finally {
    lock.release();
  }
}

async function watchAll({ signal, say }: RunOptions, state: string): Promise<void> {
  const stop = new AbortController();
  const over = AbortSignal.any([signal, stop.signal]);
  let looked: Promise<void> = Promise.resolve();

  await sweepState(state, tmpdir()).catch(error => say(`not swept: ${error instanceof Error ? error.message : error}`));
  const notices = await openAlertNotices(say);
  const alert = await openAlerts(path.join(state, 'alerts.ndjson'), { say, notice: notices.tell });
  const health = openHealth({ say, panes: () => roster.statuses() });
  const { changed, trouble } = health;
  const list = openAdoptedList({ alert, trouble });
  const watched = () => roster.watched();
  const workers = await openWorkers({ state, watched });
  const index = openIndex({ state, workers, watched, alert });
  const roster = openRoster({ state, say, alert, changed, trouble, workers, index });
  const orphans = openOrphanage({ state, say, alert });

  async function lookAround(): Promise<void> {
    try {
      const { panes: adopted, isKnown } = await list();
      await roster.drop(
        ({ kind, identity }) =>
          kind === 'adopted' && !adopted.some(each => each.socket === identity.socket && each.pane === identity.pane),
      );
      const found = await findPanes(adopted);
      for (const [socket, why] of found.failed) trouble(`tmux of ${socket} gives no answer: ${why}`);
      await roster.take(found);
      // Panes that are on an unreadable list are not gone.
      if (found.failed.size === 0 && isKnown) await orphans.look(key => found.panes.has(key) || roster.follows(key));
    } catch (error) {
      trouble(error instanceof Error ? error.message : String(error));
    }
  }
  // One look after the other; whoever asks for one gets one that began after the asking.
  const lookAgain = (): Promise<void> => {
    looked = looked.then(lookAround);
    return looked;
  };

  async function take(wish: WatchdogWish) {
    switch (wish.do) {
      case 'stop':
        setImmediate(() => stop.abort());
        return { ok: true, message: 'ending' };
      case 'status':
        return { ok: true, message: 'running', status: await health.status() };
      case 'rescan':
        await lookAgain();
        return { ok: true, message: 'looked', status: await health.status() };
      case 'handoff': {
        await lookAgain();
        const late = sleep(BEGIN_MS, 'asked for; it has not begun yet', { ref: false });
        const said = await Promise.race([roster.handoff(wish.socket, wish.pane, wish.reason), late]);
        if (said === null) return { ok: false, message: `pane ${wish.pane} of ${wish.socket} is not watched` };
        return { ok: !said.startsWith('refused'), message: said };
      }
    }
  }

  // On its own: whatever is done with an orchestrator, its workers are looked at.
  async function lookAtWorkers(): Promise<void> {
    await lookAgain(); // panes that are not found yet are not gone
    while (!over.aborted) {
      await workers.look().catch(error => trouble(`workers: ${error instanceof Error ? error.message : error}`));
      void index.refresh().catch(error => trouble(`index: ${error instanceof Error ? error.message : error}`));
      await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {});
    }
  }

  const control: Control = await openControl(take);
  say(`watching as process ${process.pid}`);
  const looking = lookAtWorkers();
  try {
    while (!over.aborted) {
      await lookAgain();
      await health.write();
      if (!control.isStanding()) {
        say('ending: its socket is gone, so nobody could find it');
        break;
      }
      await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {});
    }
  } finally {
    stop.abort();
    control.close();
    await roster.close();
    await looking;
    health.close();
    await notices.close();
    say('ended');
  }
}
