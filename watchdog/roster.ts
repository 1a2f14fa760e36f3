// The panes under watch: one follower for each, begun when it is found and ended only when it is proven gone.

import { Fault } from '../src/protocol/fault.ts';
import type { HandoffReason } from '../src/protocol/handoff.ts';
import type { Found } from './find-panes.ts';
import type { PaneStatus } from './pane-status.ts';
import { openSlots } from './slots.ts';
import { type PaneWatch, type WatchOptions, watchPane } from './watch-pane.ts';
import type { WatchedPane } from './watched-pane.ts';
import type { Watched } from './workers.ts';

// One look may meet a server that is just being replaced.
const PROOFS_OF_END = 2;
// A follower that breaks is begun again, later each time: its journal knows where it stood.
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 5 * 60_000;

type Followed = {
  pane: WatchedPane;
  given: string;
  stop: AbortController;
  watch: PaneWatch;
  status: PaneStatus;
  missed: number;
};
type Broken = { times: number; notBefore: number };

export type RosterOptions = Pick<WatchOptions, 'state' | 'say' | 'alert' | 'workers' | 'index'> & {
  changed(): void;
  trouble(message: string): void;
};

export function openRoster(o: RosterOptions) {
  const followed = new Map<string, Followed>();
  const broken = new Map<string, Broken>();
  const slots = openSlots();

  function begin(pane: WatchedPane, given: string): void {
    const stop = new AbortController();
    const entry: Followed = {
      pane,
      given,
      stop,
      missed: 0,
      status: firstStatus(pane),
      watch: watchPane(pane, {
        ...o,
        slots,
        signal: stop.signal,
        tell: status => {
          const isNews = JSON.stringify(status) !== JSON.stringify(entry.status);
          entry.status = status;
          if (isNews) o.changed();
        },
      }),
    };
    followed.set(pane.key, entry);
    o.say(`${pane.name}: watched (${pane.identity.pane}, ${pane.folder})`);
    void entry.watch.done.then(
      () => forget(entry),
      error => breakOff(entry, error),
    );
    o.changed();
  }

  function forget(entry: Followed): void {
    if (followed.get(entry.pane.key) === entry) followed.delete(entry.pane.key);
    o.changed();
  }

  function breakOff(entry: Followed, error: unknown): void {
    forget(entry);
    const times = (broken.get(entry.pane.key)?.times ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
    broken.set(entry.pane.key, { times, notBefore: Date.now() + pause });
    const text = `${entry.pane.name}: ${error instanceof Error ? error.message : String(error)}`;
    o.trouble(text);
    // Something only a person can mend, as a spoilt journal.
    if (error instanceof Fault) void o.alert(`${entry.pane.key}/broken`, text).catch(() => {});
  }

  async function end(entry: Followed, why: string): Promise<void> {
    o.say(`${entry.pane.name}: not watched any more (${why})`);
    entry.stop.abort();
    forget(entry);
    await entry.watch.done.catch(() => {});
  }

  return {
    async take(found: Found): Promise<void> {
      for (const entry of [...followed.values()]) {
        const { key, identity } = entry.pane;
        if (found.failed.has(identity.socket)) continue; // nothing was seen, so nothing is proven
        const now = found.panes.get(key);
        const isThere = now?.pid === identity.pid;
        entry.missed = isThere ? 0 : entry.missed + 1;
        // A handoff that runs sees it too, and ends with its name and a record.
        if (entry.missed >= PROOFS_OF_END && entry.status.handoff === null) await end(entry, 'the pane is gone');
        else if (isThere && now.given !== entry.given) await end(entry, 'adopted anew, in another way');
      }
      for (const key of broken.keys()) if (!found.panes.has(key) && found.failed.size === 0) broken.delete(key);
      for (const [key, { describe, given }] of found.panes) {
        if (followed.has(key) || (broken.get(key)?.notBefore ?? 0) > Date.now()) continue;
        // One that cannot be described keeps no other from being watched.
        const pane = await describe().catch(error => {
          o.trouble(`a pane cannot be watched: ${error instanceof Error ? error.message : String(error)}`);
          return null;
        });
        if (pane !== null) begin(pane, given);
      }
    },
    // Taken back by its owner: nothing has to be proven.
    async drop(isDropped: (pane: WatchedPane) => boolean): Promise<void> {
      for (const entry of [...followed.values()]) if (isDropped(entry.pane)) await end(entry, 'released');
    },
    watched: (): Watched[] => [...followed.values()].map(({ pane, status }) => ({ pane, status })),
    follows: (key: string): boolean => followed.has(key),
    statuses: (): PaneStatus[] => [...followed.values()].map(({ status }) => status),
    async handoff(socket: string, pane: string, reason: HandoffReason): Promise<string | null> {
      const at = [...followed.values()].find(
        ({ pane: { identity } }) => identity.socket === socket && identity.pane === pane,
      );
      return at === undefined ? null : at.watch.handoffNow(reason);
    },
    async close(): Promise<void> {
      for (const { stop } of followed.values()) stop.abort();
      await Promise.all([...followed.values()].map(({ watch }) => watch.done.catch(() => {})));
    },
  };
}

function firstStatus({ identity, agent, lacks }: WatchedPane): PaneStatus {
  const { socket, pane } = identity;
  return { socket, pane, agent, session_id: null, tokens: null, threshold: null, handoff: null, paused: null, lacks };
}
