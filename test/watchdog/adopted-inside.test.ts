// Claude Code that a session of Claude Code runs: same pane, same project, same hooks, and not the session.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience, until } from '../cli/cli-world.ts';
import { type AdoptWorld, claude, makeAdoptWorld } from './adopt-world.ts';

vi.setConfig(patience);
let world: AdoptWorld;

beforeAll(async () => {
  world = await makeAdoptWorld({ script: 'grower', projects: ['shop'] });
  world.project('shop');
  await world.run('watchdog', 'start');
});
afterAll(() => world.close());

test('a `claude -p` that the session runs in its pane is not taken for the session', async () => {
  const pane = await world.openClaude('shop');
  expect((await world.adopt(pane, '--yes', '--context-threshold', '90k')).code).toBe(0);
  // Started anew it has the hooks from its first moment, however busy the machine is.
  world.tmux('send-keys', '-t', pane, '/exit', 'Enter');
  await world.shows(pane, /\n[#$] *$/);
  world.tmux('send-keys', '-t', pane, 'clear; ', claude, 'Enter');
  const mine = () => world.health().panes.find(each => each.pane === pane);
  const story = () => `${JSON.stringify(world.health())}\n${world.log()}\n${world.screen(pane)}`;
  await until(() => mine()?.session_id != null && /auto mode|shift\+tab/.test(world.screen(pane)), story);
  const receipts = () => readFileSync(`${world.channel(pane)}/receipts.ndjson`, 'utf8');
  const [before, heard] = [mine()!.session_id, receipts()];

  const TMUX = `${world.socket},1,0`;
  const env = { ...world.env, TMUX, TMUX_PANE: pane, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ATTENDED: '1' };
  const ran = promisify(execFile)(claude, ['-p', 'work'], { cwd: world.at('shop'), env, timeout: 60_000 });
  ran.child.stdin!.end();
  expect((await ran).stdout.trim()).not.toBe('');
  expect(receipts()).toBe(heard);
  expect(mine()!.threshold).toBe(90_000);

  await world.say(pane, 'work', /work[\s\S]*● .*\n/);
  await until(() => receipts().length > heard.length, story);
  expect(mine()!.session_id).toBe(before);
  expect((await world.handoff(pane)).code).toBe(0);
  await until(() => world.records().length === 1, story);
  expect(world.records()[0]).toMatchObject({ outcome: 'closed', session_before: before });
});
