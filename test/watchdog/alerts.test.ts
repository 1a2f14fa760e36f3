// Alerts are told once, whatever is restarted or full; and one spoilt file silences nothing but itself.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { begin } from '../../src/handoff/handoff-state.ts';
import { watchdogPlaces } from '../../src/watching/watchdog-places.ts';
import { openAdoptedList } from '../../watchdog/adopted.ts';
import { openAlerts } from '../../watchdog/alerts.ts';
import { openOrphanage } from '../../watchdog/close-orphans.ts';
import { openJournal } from '../../watchdog/journal.ts';
import { tempFolder } from '../files/temp-folder.ts';

async function alertsIn(file: string) {
  const told: string[] = [];
  const alert = await openAlerts(file, { say: () => {}, notice: (_, text) => void told.push(text) });
  return { alert, told };
}
const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

test('the same alert is told once, also by a watchdog that was restarted', async () => {
  const file = path.join(tempFolder(), 'alerts.ndjson');
  const first = await alertsIn(file);
  for (const key of ['a', 'a', 'b']) await first.alert(key, `about ${key}`);
  expect(first.told).toEqual(['about a', 'about b']);
  const second = await alertsIn(file);
  for (const key of ['a', 'b', 'c']) await second.alert(key, `about ${key}`);
  expect(second.told).toEqual(['about c']);
  expect(linesOf(file)).toHaveLength(3);
});

test('what was told more than a day ago is told anew after a restart, and a torn line is no alert', async () => {
  const file = path.join(tempFolder(), 'alerts.ndjson');
  const old = { at: new Date(Date.now() - 25 * 60 * 60_000).toISOString(), key: 'a', text: 'old' };
  writeFileSync(file, `${JSON.stringify(old)}\n{"at":"20`);
  const { alert, told } = await alertsIn(file);
  await alert('a', 'again');
  expect(told).toEqual(['again']);
});

test('the file keeps the newest and does not grow without end', async () => {
  const file = path.join(tempFolder(), 'alerts.ndjson');
  const { alert } = await alertsIn(file);
  for (let n = 0; n < 300; n += 1) await alert(`${n}`, 'x'.repeat(10_000));
  expect(statSync(file).size).toBeLessThan(1.1 * 1024 * 1024);
  const lines = linesOf(file).map(line => JSON.parse(line));
  expect(lines.at(-1).key).toBe('299');
});

test('one that cannot be written is told to people once, and written when it can be', async () => {
  const folder = path.join(tempFolder(), 'not-yet');
  const file = path.join(folder, 'alerts.ndjson');
  const { alert, told } = await alertsIn(file);
  for (const _ of [1, 2]) await expect(alert('a', 'full')).rejects.toThrow();
  mkdirSync(folder);
  await alert('a', 'full');
  expect([told, linesOf(file).length]).toEqual([['full'], 1]);
});

test('a spoilt journal keeps no other handoff from its end, and is told', async () => {
  const state = tempFolder();
  const journals = path.join(state, 'journals');
  mkdirSync(journals);
  writeFileSync(path.join(journals, 'a.ndjson'), 'nonsense\nmore nonsense\n');
  const start = { id: 'h1', pane: '%1', reason: 'manual', sessionId: 's1', tokensBefore: null } as const;
  const entry = { version: 1, n: 1, at: 1, kind: 'step', state: begin(start, 1), effects: [], outcome: null } as const;
  await openJournal(path.join(journals, 'b.ndjson')).append({ ...entry, effects: [] });
  const told = new Set<string>();
  const orphans = openOrphanage({ state, say: () => {}, alert: async (_, text) => void told.add(text) });
  for (let looks = 0; looks < 4; looks += 1) await orphans.look(() => false);
  expect([...told]).toEqual([
    expect.stringMatching(/journal "\S+a\.ndjson" cannot be read/),
    expect.stringContaining('agent_gone'),
  ]);
  expect(JSON.parse(readFileSync(path.join(state, 'handoffs', 'h1.json'), 'utf8')).outcome).toBe('agent_gone');
});

test('a spoilt list of adopted panes leaves those of before, and says that it is not known', async () => {
  vi.stubEnv('BATON_STATE_DIR', tempFolder());
  const { adopted: file, state } = watchdogPlaces();
  mkdirSync(state, { recursive: true });
  const told: string[] = [];
  const list = openAdoptedList({ alert: async (_, text) => void told.push(text), trouble: () => {} });
  const pane = {
    socket: '/s',
    pane: '%1',
    pid: 7,
    folder: '/p',
    role: 'agent',
    adopted_at: '2026-11-18T10:00:00.000Z',
    has_hooks: true,
  };
  writeFileSync(file, JSON.stringify({ version: 1, panes: [pane] }));
  expect(await list()).toMatchObject({ panes: [pane], isKnown: true });
  writeFileSync(file, '{ broken');
  expect(await list()).toMatchObject({ panes: [pane], isKnown: false });
  expect(told).toEqual([expect.stringContaining('adopted.json')]);
  vi.unstubAllEnvs();
});
