// The watchdog as a process: one for each user, found again, ended and outliving what it should outlive.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchdogEnvironment } from '../../src/watching/start-watchdog.ts';
import { makeCliWorld, patience, until, writes } from '../cli/cli-world.ts';

vi.setConfig(patience);
type World = ReturnType<typeof makeCliWorld>;
let world: World;
beforeEach(() => {
  world = makeCliWorld();
});
afterEach(async () => {
  await world.run('watchdog', 'stop');
  world.end();
});

const json = async (...args: string[]) => JSON.parse((await world.run(...args, '--json')).stdout);
const lockHolder = () => JSON.parse(readFileSync(world.at('run', 'watchdog.lock.json'), 'utf8')).pid as number;
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

test('it starts in the background, is found again, refuses a second one, and ends when told', async () => {
  const { pid, started } = await json('watchdog', 'start');
  expect(started).toBe(true);
  expect(await json('watchdog', 'start')).toEqual({ pid, started: false });
  const second = await world.run('watchdog', 'run');
  expect([second.code, second.stderr]).toEqual([6, expect.stringContaining(`as process ${pid}`)]);
  expect(await json('watchdog', 'status')).toMatchObject({
    running: true,
    status: { pid, panes: [], last_error: null },
  });
  expect(await json('watchdog', 'stop')).toEqual({ pid, stopped: true });
  await until(() => !isAlive(pid), 'its end', 5000);
  expect(await json('watchdog', 'status')).toEqual({ running: false, status: null });
  expect(existsSync(world.at('run', 'watchdog.sock'))).toBe(false);
});

test('several that are started at once are one', async () => {
  const started = await Promise.all([1, 2, 3].map(() => json('watchdog', 'start')));
  expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
});

test('after kill -9 another one starts in its place', async () => {
  const { pid } = await json('watchdog', 'start');
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'its end', 5000);
  expect(await json('watchdog', 'status')).toEqual({ running: false, status: null });
  const next = await json('watchdog', 'start');
  expect(next.started).toBe(true);
  expect(next.pid).not.toBe(pid);
});

test('its status file has a heartbeat that goes on, and doctor reads it', async () => {
  const finding = async () =>
    (await json('doctor')).find(({ what }: { what: string }) => what === 'watchdog') as Record<string, string>;
  expect(await finding()).toMatchObject({ state: 'good', finding: expect.stringContaining('not running') });
  const { pid } = await json('watchdog', 'start');
  const file = world.at('state', 'watchdog', 'status.json');
  await until(() => existsSync(file), 'a status');
  const beat = () => JSON.parse(readFileSync(file, 'utf8')).heartbeat_at as string;
  const first = beat();
  await until(() => beat() > first, 'another beat', 10_000);
  expect(await finding()).toMatchObject({ state: 'good', finding: expect.stringContaining(`process ${pid}`) });
  // A process that holds the lock and does not move.
  process.kill(pid, 'SIGSTOP');
  const old = { ...JSON.parse(readFileSync(file, 'utf8')), heartbeat_at: '2026-01-01T00:00:00.000Z' };
  writeFileSync(file, JSON.stringify(old));
  expect(await finding()).toMatchObject({ state: 'note', finding: expect.stringContaining('silent') });
  process.kill(pid, 'SIGCONT');
});

test('it ends by itself when its socket is gone, so that nobody has one he cannot find', async () => {
  const { pid } = await json('watchdog', 'start');
  rmSync(world.at('run', 'watchdog.sock'));
  await until(() => !isAlive(pid), 'its end', 15_000);
});

test('a handoff of a pane that it does not watch is refused', async () => {
  await json('watchdog', 'start');
  const { code, stderr } = await world.run('handoff', '%7');
  expect([code, stderr]).toEqual([2, expect.stringContaining('%7 is not watched')]);
});

// Claude Code is only needed as a program that stays: the engine wants its watchdog before it starts agents.
function claudeRequest(id: string): string {
  const file = world.request(id, [{ name: 'alpha', script: '' }]);
  writeFileSync(world.at('claude'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  const config = { provider: 'claude', claude_path: world.at('claude') };
  writeFileSync(world.at(id, 'agents', 'alpha', 'agent.json'), JSON.stringify(config));
  mkdirSync(world.at(id, 'ws', 'work', 'alpha'), { recursive: true });
  return file;
}

test('an engine with Claude agents starts one, and kill -9 of the engine does not end it', async () => {
  const engine = world.start(['run', claudeRequest('exec-1')], { BATON_WATCHDOG: '' });
  await until(
    () => existsSync(world.at('run', 'watchdog.sock')),
    () => engine.said.stderr,
  );
  const pid = lockHolder();
  engine.child.kill('SIGKILL');
  await engine.ended;
  expect(await json('watchdog', 'status')).toMatchObject({ running: true, status: { pid } });
});

test('an engine starts another one when its watchdog is killed, and none when it was ended on purpose', async () => {
  const engine = world.start(['run', claudeRequest('exec-4')], { BATON_WATCHDOG: '' });
  const status = world.at('state', 'watchdog', 'status.json');
  await until(
    () => existsSync(status) && existsSync(world.at('run', 'watchdog.sock')),
    () => engine.said.stderr,
  );
  const pid = lockHolder();
  process.kill(pid, 'SIGKILL');
  const other = () => {
    const now = lockHolder();
    return now !== pid && isAlive(now);
  };
  await until(other, 'another watchdog', 40_000);
  expect(engine.child.exitCode).toBeNull();
  await until(() => JSON.parse(readFileSync(status, 'utf8')).pid === lockHolder(), 'its status');
  await world.run('watchdog', 'stop');
  await new Promise(resolve => setTimeout(resolve, 15_000)); // longer than it takes the engine to ask again
  expect(await json('watchdog', 'status')).toEqual({ running: false, status: null });
  engine.child.kill('SIGKILL');
  await engine.ended;
});

test('settings given to a run are kept for its agents, and refused before anything is touched when they are none', async () => {
  const file = claudeRequest('exec-5');
  const refused = await world.run('run', file, '--context-threshold', 'much');
  expect([refused.code, existsSync(world.at('exec-5', 'ws', 'events.ndjson'))]).toEqual([2, false]);
  const engine = world.start(['run', file, '--context-threshold', '50k'], { BATON_AUTO_COMMIT: 'false' });
  const kept = world.at('exec-5', 'ws', '.baton', 'handoff-settings.json');
  await until(
    () => existsSync(kept),
    () => engine.said.stderr,
  );
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ context_threshold: '50k', auto_commit: 'false' });
  engine.child.kill('SIGKILL');
  await engine.ended;
});

test('it has neither the pane nor the settings of the shell it was started from', () => {
  const given = { PATH: '/bin', TMUX: 'x', TMUX_PANE: '%1', BATON_PANE: '%1', BATON_STATE_DIR: '/s' };
  const settings = { BATON_CONTEXT_THRESHOLD: '5000', BATON_AUTO_COMMIT: 'false', BATON_MAX_HANDOFFS: '1' };
  expect(watchdogEnvironment({ ...given, ...settings })).toEqual({ PATH: '/bin', BATON_STATE_DIR: '/s' });
});

test('an engine starts none when it has no Claude agent, or when it is switched off', async () => {
  const file = world.request('exec-2', [{ name: 'alpha', script: writes }]);
  expect((await world.start(['run', file, '--quiet'], { BATON_WATCHDOG: '' }).ended).code).toBe(0);
  const engine = world.start(['run', claudeRequest('exec-3')]);
  await until(
    () => existsSync(world.at('exec-3', 'ws', 'status.json')),
    () => engine.said.stderr,
  );
  await until(
    () => existsSync(world.at('exec-3', 'ws', '.baton', 'claude', 'alpha.1', 'launch-1.started')),
    'a launch',
  );
  engine.child.kill('SIGKILL');
  await engine.ended;
  expect(await json('watchdog', 'status')).toEqual({ running: false, status: null });
});
