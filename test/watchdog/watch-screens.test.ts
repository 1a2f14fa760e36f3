// The wake-up by the screen alone: which figures it wakes for, and that a real tmux wakes it within its second.

import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { pattern, watchScreens } from '../../src/tmux/watch-screens.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { until } from './cycle-world.ts';

test('every figure at or over the threshold wakes it, and none below', () => {
  const thousands = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(thousands, thousands, fc.integer({ min: 0, max: 9 }), (threshold, shown, tenth) => {
      const row = `  context: ${shown}.${tenth}k tokens (23%)`;
      expect(new RegExp(pattern(threshold * 1000)).test(row), `${row} at ${threshold}k`).toBe(shown >= threshold);
    }),
    { numRuns: 2000 },
  );
  expect(new RegExp(pattern(100_000)).test('  context: 1.2M tokens (60%)')).toBe(true);
  expect(new RegExp(pattern(100_000)).test('they said context: 45.2k tokens')).toBe(false);
});

test('tmux tells within two seconds that a pane went over, and that it came back, and sizes stay', async () => {
  const socket = path.join(tempFolder(), 's');
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' }).trim();
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  tmux('new-session', '-d', '-s', 'mine', '-x', '130', '-y', '30', '--', 'sleep', '60');
  tmux('new-window', '-d', '-t', 'mine:', '--', 'cat');
  const pane = tmux('list-panes', '-a', '-F', '#{pane_id}').split('\n')[1]!;
  const seen: [string, boolean][] = [];
  const watch = await watchScreens(socket, 'mine', { over: 100_000, onChange: (...change) => void seen.push(change) });
  onTestFinished(() => watch.close());
  const isTold = (wanted: boolean) => seen.some(([id, isOver]) => id === pane && isOver === wanted);
  tmux('send-keys', '-t', pane, 'context: 99.9k tokens', 'Enter');
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(isTold(true)).toBe(false);
  tmux('send-keys', '-t', pane, 'context: 100.1k tokens', 'Enter');
  await until(() => isTold(true), 5000);
  seen.length = 0;
  tmux('send-keys', '-t', pane, '-R');
  await until(() => isTold(false), 5000);
  expect(tmux('display-message', '-p', '-t', pane, '#{window_width}x#{window_height}')).toBe('130x30');
});
