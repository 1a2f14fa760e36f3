// The records of past handoffs of one pane, as the watchdog left them. Newest few only; each is read once, since a
// record that was written never changes.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '../../files/write-file.ts';
import { HandoffRecord } from '../../protocol/handoff.ts';
import { watchdogPlaces } from '../../watching/watchdog-places.ts';

const MOST = 60; // their names begin with their time

export function followHandoffs(): (pane: string) => Promise<HandoffRecord[]> {
  const known = new Map<string, HandoffRecord | null>();
  return async pane => {
    const folder = path.join(watchdogPlaces().state, 'handoffs');
    const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).sort();
    const newest = names.slice(-MOST);
    await Promise.all(
      newest
        .filter(name => !known.has(name))
        .map(async name => known.set(name, await readJson(path.join(folder, name), HandoffRecord).catch(() => null))),
    );
    return newest.flatMap(name => known.get(name) ?? []).filter(record => record.pane === pane);
  };
}
