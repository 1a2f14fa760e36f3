// The panes that users gave to the watchdog, as it follows them.

import { claudeConfigFolder } from '../src/claude/session-register.ts';
import type { AdoptedPane } from '../src/protocol/handoff.ts';
import { lacksWhileSilent, lacksWithoutHooks, readAdopted } from '../src/watching/adopted-panes.ts';
import { introduceSession } from '../src/watching/introduce-session.ts';
import { paneKey, panePlaces } from '../src/watching/watchdog-places.ts';
import type { Alert } from './alerts.ts';
import type { WatchedPane } from './watched-pane.ts';

export type AdoptedList = { panes: AdoptedPane[]; isKnown: boolean };

// A list that cannot be read takes no pane away from the watch: those of before are followed, and the agents of
// engines all the same.
export function openAdoptedList(o: { alert: Alert; trouble(message: string): void }): () => Promise<AdoptedList> {
  let last: AdoptedPane[] = [];
  return async () => {
    try {
      last = await readAdopted();
      return { panes: last, isKnown: true };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      o.trouble(message);
      await o.alert(`adopted/${message}`, `the list of adopted panes cannot be read: ${message}`);
      return { panes: last, isKnown: false };
    }
  };
}

export async function watchedFrom(given: AdoptedPane): Promise<WatchedPane> {
  const { socket, pane, pid, folder, role, has_hooks } = given;
  const { receipts, record, blockCompact, order } = panePlaces(socket, pane);
  const isHeard = has_hooks && (await introduceSession(socket, pane).catch(() => false));
  const silent = has_hooks && !isHeard ? [lacksWhileSilent] : [];
  return {
    key: paneKey(socket, pane),
    identity: { socket, pane, pid },
    name: pane,
    kind: 'adopted',
    role,
    folder,
    channel: has_hooks ? { receipts, record, blockCompact, order } : null,
    configFolder: given.config_folder ?? claudeConfigFolder(),
    contract: null,
    workspace: null,
    documentPath: null,
    task: null,
    agent: null,
    cap: null,
    maxCostUsd: null,
    costs: null,
    settings: given.settings,
    lacks: has_hooks ? silent : [...lacksWithoutHooks],
  };
}
