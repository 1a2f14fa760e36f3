// A leading session in the user's own tmux: told how its workers stand, handed off itself while they go on.

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import type { CheckCursor } from '../../src/protocol/workers.ts';
import { paneKey } from '../../src/watching/watchdog-places.ts';
import { patience, until } from '../cli/cli-world.ts';
import { isFull } from '../test-size.ts';
import { claude, makeFleet } from './fleet-world.ts';

vi.setConfig(patience);
let fleet: Awaited<ReturnType<typeof makeFleet>>;
afterEach(async () => {
  spawnSync('tmux', ['-S', fleet.at('user.sock'), 'kill-server']);
  await fleet.end();
});

const settle = (settings: object) =>
  writeFileSync(
    fleet.at('lead', 'baton.json'),
    JSON.stringify({ context_threshold: 60_000, check_interval: 10, ...settings }),
  );

async function openLeader(settings: object = {}) {
  const socket = fleet.at('user.sock');
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', '-u', ...args], { encoding: 'utf8' }).trim();
  settle(settings);
  const variables = Object.entries(fleet.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const where = ['-x', '120', '-y', '40', '-c', fleet.at('lead'), ...variables];
  const pane = tmux('new-session', '-d', ...where, '-P', '-F', '#{pane_id}', '--', claude);
  const screen = () => tmux('capture-pane', '-p', '-t', pane);
  await until(() => /auto mode|shift\+tab/.test(screen()), screen);
  const adopted = await fleet.baton('adopt', pane, '--socket', socket, '--yes', '--role', 'orchestrator');
  expect([adopted.code, adopted.stderr]).toEqual([0, '']);
  const cursor = (): CheckCursor =>
    JSON.parse(fleet.read('state', 'watchdog', 'orchestrators', `${paneKey(socket, pane)}.json`) || '{}');
  const type = (text: string) => {
    tmux('send-keys', '-t', pane, '-l', text);
    tmux('send-keys', '-t', pane, 'Enter');
  };
  return { pane, screen, tmux, type, cursor };
}

// What the model was asked, of the leading session alone.
const asked = () =>
  fleet.practice
    .requests()
    .flatMap(({ kind, text }) => (kind === 'prompt' && !text.includes('agent_result.json') ? [text] : []));
const digests = () => asked().filter(text => text.startsWith('Check workers'));
const told = (what: string) => digests().filter(text => text.includes(what));
const why = () => `${fleet.log()}\n${asked().join('\n--\n')}`;

test('it is told how its workers stand; one that ends while it is handed off is in the next digest', async () => {
  fleet = await makeFleet(['b1', 'b2'], { slowMs: 10_000, writeMs: 14_000 });
  await fleet.baton('watchdog', 'start');
  const leader = await openLeader();
  const engine = fleet.run();
  await until(() => told('b1 of fleet: running').length === 1, why);
  await until(() => /I have seen to my workers/.test(leader.screen()), leader.screen);

  leader.type('fill up');
  await until(() => fleet.watchdog()?.panes.some(({ handoff }) => handoff !== null) === true, why);
  const before = digests().length;
  const ended = await engine.ended;
  expect(ended.code, ended.stderr).toBe(0);
  await until(() => fleet.records().length === 1, why);
  expect(fleet.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'agent' });
  // A worker ended while it wrote: the book has it, and nothing was typed into its handoff.
  const book = JSON.parse(fleet.read('state', 'watchdog', 'workers.json'));
  const { started_at, ended_at } = fleet.records()[0]!;
  const during = ({ at, is_end }: { at: string; is_end: boolean }) => is_end && at > started_at && at < ended_at;
  expect(book.events.filter(during).length).toBeGreaterThanOrEqual(1);

  await until(() => told('b1 of fleet ended: success').length === 1, why);
  const all = asked();
  const [handoff, resume] = ['Please hand over', 'You go on with work'].map(words =>
    all.findIndex(text => text.startsWith(words)),
  );
  expect(all.slice(handoff, resume! + 1).filter(text => text.startsWith('Check workers'))).toEqual([]);
  expect(digests().length).toBe(before + 1);
  expect(told('b2 of fleet ended: success')).toHaveLength(1);
});

test('a handoff that falls due while it sees to its workers waits for that turn, and nothing is told twice', async () => {
  fleet = await makeFleet(['b1'], { slowMs: 3000, checkMs: 5000 });
  await fleet.baton('watchdog', 'start');
  const leader = await openLeader();
  const engine = fleet.run();
  await until(() => told('b1 of fleet').length === 1, why);
  await until(() => fleet.watchdog()?.panes.some(({ handoff }) => handoff !== null) === true, why);
  const isSaid = () => /I have seen to my workers\./.test(leader.screen());
  const isAsked = () => asked().some(text => text.startsWith('Please hand over'));
  await until(() => isSaid() || isAsked(), why);
  expect([isSaid(), isAsked()]).toEqual([true, false]); // the words to the end, then the handoff
  await until(() => fleet.records().length === 1, why);
  expect(fleet.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'agent' });
  const { code, stderr } = await engine.ended;
  expect(code, stderr).toBe(0);
  await until(() => told('b1 of fleet ended: success').length === 1, why);
  expect(told('b1 of fleet began')).toHaveLength(1);
  expect(asked().filter(text => text.startsWith('You go on with work')).length).toBeGreaterThanOrEqual(1);
});

// A span of hours around now, or well away from it, by the clock of the watchdog.
const hours = (from: number, to: number) =>
  [from, to].map(each => new Date(Date.now() + each * 3_600_000).toISOString().slice(11, 16)).join('-');
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

test('it is told nothing in quiet hours and all of it after them; not without news, unless it is to be, by its interval', async () => {
  fleet = await makeFleet(['b1'], { slowMs: 2000 });
  fleet.env.TZ = 'UTC';
  await fleet.baton('watchdog', 'start');
  const leader = await openLeader({ quiet_hours: hours(-2, 2) });
  const { code, stderr } = await fleet.run().ended;
  expect(code, stderr).toBe(0);
  await until(() => /"is_end": ?true/.test(fleet.read('state', 'watchdog', 'workers.json')), why);
  await pause(6000); // a session that was never told anything would have been told at once
  expect(digests()).toEqual([]);

  settle({ quiet_hours: hours(2, 4) });
  await until(() => told('b1 of fleet ended: success').length === 1, why);
  await until(() => leader.cursor().pending === null && leader.cursor().last_at != null, why);
  await pause(13_000); // over its interval, and nothing happened
  expect(digests()).toHaveLength(1);

  settle({ check_only_when_changed: false });
  await until(() => digests().length === 2, why);
  const first = Date.now();
  expect(digests()[1]).toContain('Check workers: none is at work.');
  await until(() => digests().length === 3, why);
  expect(Date.now() - first).toBeGreaterThan(8000);
});

// Half a minute: in `npm run test:full`.
if (isFull)
  test('kill -9 in the middle of a digest neither loses it nor sends it twice, and a draft is waited for', async () => {
    fleet = await makeFleet(['b1'], { slowMs: 4000 });
    const first = JSON.parse((await fleet.baton('watchdog', 'start', '--json')).stdout).pid as number;
    const leader = await openLeader();
    leader.tmux('send-keys', '-t', leader.pane, '-l', 'a draft of mine');
    const engine = fleet.run();
    const { code, stdout, stderr } = await engine.ended;
    expect(code, `${stdout}${stderr}${why()}`).toBe(0);
    await until(() => /"is_end":true|"is_end": true/.test(fleet.read('state', 'watchdog', 'workers.json')), why);
    await new Promise(resolve => setTimeout(resolve, 3000));
    expect(digests()).toEqual([]);
    expect(leader.screen()).toContain('a draft of mine');

    leader.tmux('send-keys', '-t', leader.pane, 'C-u');
    await until(() => leader.cursor().pending !== null && leader.cursor().pending !== undefined, why);
    process.kill(first, 'SIGKILL');
    await fleet.baton('watchdog', 'start');
    await until(() => leader.cursor().pending === null && leader.cursor().told >= 1, why);
    await until(() => told('b1 of fleet ended: success').length === 1, why);
    await new Promise(resolve => setTimeout(resolve, 12_000)); // over the interval: there is nothing new to tell
    expect(digests()).toHaveLength(1);
  });
