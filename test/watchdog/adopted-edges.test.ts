// What can come between an adopted pane and its handoff: another tmux server, its owner, the end of its pane or of
// the watchdog.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { descendants, readProcesses } from '../../src/process/process-table.ts';
import { patience, until } from '../cli/cli-world.ts';
import { type AdoptWorld, makeAdoptWorld } from './adopt-world.ts';

vi.setConfig(patience);
let world: AdoptWorld;

// Takes its time over the document, so that something can happen meanwhile.
const grower = JSON.parse(readFileSync(new URL('../../templates/practice/grower.json', import.meta.url), 'utf8'));
const handoff = grower.rules.find(({ name }: { name: string }) => name === 'handoff');
handoff.steps[0].delay_ms = 2000;

beforeAll(async () => {
  world = await makeAdoptWorld({ script: grower, projects: ['shop'] });
  world.project('shop');
  await world.run('watchdog', 'start');
});
afterAll(() => world.close());

const mine = (pane: string) => world.health().panes.find(each => each.pane === pane);
const settings = () => world.at('shop', '.claude', 'settings.local.json');
const story = (pane: string) => () => `${JSON.stringify(world.health())}\n${world.log()}\n${world.screen(pane)}`;

async function beginHandoff(pane: string): Promise<void> {
  await world.say(pane, 'work', /● .*\n/);
  await until(() => mine(pane)?.session_id != null, story(pane)); // a busy machine runs hooks late
  const begun = await world.handoff(pane);
  expect(begun.code, begun.stderr).toBe(0);
  await until(() => mine(pane)?.handoff?.state === 'writing', story(pane));
}

test('the same number on a new tmux server is another pane: not watched, and not typed into', async () => {
  const pane = await world.openClaude('shop');
  expect((await world.adopt(pane, '--yes')).code).toBe(0);
  await until(() => mine(pane)?.session_id != null, story(pane));
  world.tmux('kill-server');
  await until(() => !existsSync(world.socket) || world.health().panes.length === 0, 'the end of the server');
  const again = await world.openClaude('shop');
  expect(again).toBe(pane);
  const refused = await world.handoff(pane);
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('is not watched')]);
  await until(() => world.health().panes.length === 0, story(pane));
  expect(world.practice.requests()).toEqual([]);
  expect((await world.release(pane)).code).toBe(0);
  expect(existsSync(settings())).toBe(false);
  expect(world.records()).toEqual([]);
});

test('in the middle of a handoff it is not released, and a watchdog that is stopped goes on at its next start', async () => {
  const pane = '%0';
  expect((await world.adopt(pane, '--yes')).code).toBe(0);
  await beginHandoff(pane);
  const refused = await world.release(pane);
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('in the middle of handoff')]);
  expect((await world.run('watchdog', 'stop')).code).toBe(0);
  expect(existsSync(settings())).toBe(true);
  await world.run('watchdog', 'start');
  await until(() => world.records().length === 1 && mine(pane)?.handoff === null, story(pane));
  expect(world.records()[0]).toMatchObject({ outcome: 'closed', written_by: 'agent' });
  const asked = world.practice.requests().filter(({ rule, kind }) => rule === 'handoff' && kind === 'prompt');
  expect(asked).toHaveLength(1);
});

test('a session that ends in the middle ends its handoff: the shell it leaves gets no key', async () => {
  const pane = '%0';
  await beginHandoff(pane);
  const shell = Number(world.tmux('display-message', '-p', '-t', pane, '#{pane_pid}'));
  for (const { pid } of descendants(readProcesses(), [shell])) process.kill(pid, 'SIGTERM');
  await until(() => world.records().length === 2, story(pane));
  expect(world.records()[1]).toMatchObject({ outcome: 'agent_gone', session_after: null });
  expect(world.screen(pane)).toMatch(/\n[#$] *$/);
});

test('a pane that is closed in the middle ends its handoff, and can be released afterwards', async () => {
  const pane = await world.openClaude('shop');
  expect((await world.adopt(pane, '--yes')).code).toBe(0);
  await beginHandoff(pane);
  world.tmux('kill-pane', '-t', pane);
  await until(
    () => world.records().length === 3 && mine(pane) === undefined,
    () => world.log(),
  );
  expect(world.records()[2]).toMatchObject({ outcome: 'agent_gone' });
  for (const each of [pane, '%0']) expect((await world.release(each)).code).toBe(0);
  expect(existsSync(settings())).toBe(false);
});

test('a state folder that cannot be used is told with its cure', async () => {
  await world.run('watchdog', 'stop');
  rmSync(world.at('state', 'watchdog'), { recursive: true });
  writeFileSync(world.at('state', 'watchdog'), '');
  for (const verb of ['start', 'run']) {
    const { code, stderr } = await world.run('watchdog', verb);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/a file is in its place[\s\S]*BATON_STATE_DIR/)]);
  }
  rmSync(world.at('state', 'watchdog'));
});
