// A pane is given back when a look shows it, and not because it was asked for.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leaseFor } from '../../src/claude/pane-lease.ts';
import { openPane, type PaneDoor } from '../../src/tmux/pane-door.ts';
import { releasePane } from '../../watchdog/release-pane.ts';
import { tempFolder } from '../files/temp-folder.ts';

function leased() {
  const folder = tempFolder();
  const socket = path.join(folder, 's');
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const words = ['new-session', '-d', '-P', '-F', '#{pane_id} #{pane_pid}', '--', 'sleep', '600'];
  const told = execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' });
  const [pane, pid] = told.trim().split(' ');
  const door = openPane({ socket, pane: pane!, pid: Number(pid) });
  const blockCompact = path.join(folder, 'block');
  const channel = { receipts: '', record: '', blockCompact, order: path.join(folder, 'order') };
  writeFileSync(blockCompact, 'h1\n');
  return { door, channel, end: () => spawnSync('tmux', ['-S', socket, 'kill-server']) };
}

test('without an answer of tmux it is not given back yet, and compaction is free all the same', async () => {
  const { door, channel } = leased();
  await door.setLease(leaseFor('h1'));
  for (const deaf of [{ look: async () => null }, { setLease: async () => false }] as Partial<PaneDoor>[]) {
    expect((await releasePane({ door: { ...door, ...deaf }, pane: { channel } }, 'h1')).did).toBe('nothing');
    expect(existsSync(channel.blockCompact)).toBe(false);
    expect((await door.look())?.lease).toBe(leaseFor('h1'));
  }
  expect((await releasePane({ door, pane: { channel } }, 'h1')).did).toBe('done');
  expect((await door.look())?.lease).toBeNull();
});

test('the lease of another handoff stays, and a pane that is gone holds nobody up', async () => {
  const { door, channel, end } = leased();
  await door.setLease(leaseFor('h2'));
  expect((await releasePane({ door, pane: { channel } }, 'h1')).did).toBe('done');
  expect((await door.look())?.lease).toBe(leaseFor('h2'));
  end();
  expect((await releasePane({ door, pane: { channel } }, 'h1')).did).toBe('done');
});
