import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setup } from '../own-world.ts';

const names = ['HOME', 'BATON_RUNTIME_DIR', 'BATON_STATE_DIR', 'TMUX', 'TMUX_PANE'];
let before: (string | undefined)[];
beforeEach(() => {
  before = names.map(name => process.env[name]);
});
afterEach(() => {
  for (const [index, name] of names.entries()) {
    if (before[index] === undefined) delete process.env[name];
    else process.env[name] = before[index];
  }
});

const isServing = (socket: string) => spawnSync('tmux', ['-S', socket, 'list-sessions']).status === 0;
const startServer = (socket: string) =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', 'sleep 60'], { stdio: 'ignore' });

test('the end of a test run ends its own tmux servers, and no other', async () => {
  process.env.TMUX = 'somewhere';
  const end = setup();
  expect(process.env.TMUX).toBeUndefined();
  const own = path.join(process.env.BATON_RUNTIME_DIR!, 'tmux.sock');
  expect(path.dirname(process.env.HOME!)).toBe(path.dirname(process.env.BATON_STATE_DIR!));

  const elsewhere = mkdtempSync('/tmp/bt-other-');
  const foreign = path.join(elsewhere, 'tmux.sock');
  try {
    startServer(own);
    startServer(foreign);
    end();
    await expect.poll(() => isServing(own)).toBe(false);
    expect(existsSync(path.dirname(own))).toBe(false);
    expect(isServing(foreign)).toBe(true);
  } finally {
    spawnSync('tmux', ['-S', foreign, 'kill-server']);
    rmSync(elsewhere, { recursive: true, force: true });
  }
});
