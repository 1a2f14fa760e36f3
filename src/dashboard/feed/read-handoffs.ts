// The records of past handoffs of one pane, as the watchdog left them. Newest few only.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '../../files/write-file.ts';
import { HandoffRecord } from '../../protocol/handoff.ts';
import { watchdogPlaces } from '../../watching/watchdog-places.ts';

const MOST = 60; // their names begin with their time

export async function readHandoffs(pane: string): Promise<HandoffRecord[]> {
  const folder = path.join(watchdogPlaces().state, 'handoffs');
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).sort();
  const records = await Promise.all(
    names.slice(-MOST).map(name => readJson(path.join(folder, name), HandoffRecord).catch(() => null)),
  );
  return records.filter(record => record !== null && record.pane === pane) as HandoffRecord[];
}
