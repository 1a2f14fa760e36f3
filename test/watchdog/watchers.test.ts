// Who sits at a pane: also somebody whose client is attached to another session of the same group.

import { execFileSync, spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { openPane } from '../../src/tmux/pane-door.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { until } from './cycle-world.ts';

test('a person in a grouped session that shows the pane is seen, one in a session of other windows is not', async () => {
  const folder = tempFolder();
  const [inner, outer] = [`${folder}/i`, `${folder}/o`];
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const on = (socket: string, ...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', '-u', ...args], { encoding: 'utf8', env }).trim();
  onTestFinished(() => {
    for (const socket of [outer, inner]) spawnSync('tmux', ['-S', socket, 'kill-server']);
  });
  const where = ['-P', '-F', '#{pane_id} #{pane_pid}', '--', 'sleep', '600'];
  const [id, pid] = on(inner, 'new-session', '-d', '-s', 'agent', ...where).split(' ');
  on(inner, 'new-session', '-d', '-s', 'mine', '-t', 'agent');
  on(inner, 'new-session', '-d', '-s', 'other', '--', 'sleep', '600');
  const session = on(inner, 'display-message', '-p', '-t', '=agent:', '#{session_id}');
  const pane = openPane({ socket: inner, pane: id!, pid: Number(pid) });
  const attach = async (session: string) => {
    const words = ['env', '-u', 'TMUX', 'tmux', '-S', inner, '-u', 'attach-session', '-t', `=${session}`];
    on(outer, 'new-session', '-d', ...words);
    await until(() => on(inner, 'list-clients', '-F', '#{client_session}').includes(session), 10_000, 'a client');
  };
  const seen = async () => {
    // Which session of the group tmux names is its own choice.
    return { watchers: (await pane.look())!.watchers, key: await pane.lastKeyAt(session) };
  };
  expect(await seen()).toEqual({ watchers: 0, key: null });
  await attach('other');
  expect(await seen()).toEqual({ watchers: 0, key: null });
  await attach('mine');
  const now = await seen();
  expect(now.watchers).toBe(1);
  expect(Math.abs(Date.now() / 1000 - now.key!)).toBeLessThan(60);
});
