// The built dashboard in a real tmux of its own, beside executions of small shell agents.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeCliWorld, until } from '../cli/cli-world.ts';

export const builtBin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

export type Dash = ReturnType<ReturnType<typeof makeDashWorld>['open']>;

export function makeDashWorld() {
  const world = makeCliWorld();
  if (!existsSync(builtBin)) throw new Error('dist/ is missing: `npm test` builds it');
  const socket = world.at('watcher.sock');
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', '-u', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH!, HOME: world.at('home'), TERM: 'xterm-256color' },
    });
  let count = 0;

  // In a shell, so that what the dashboard leaves behind can be seen.
  function open(cols: number, rows: number, env: Record<string, string> = {}) {
    count += 1;
    const name = `d${count}`;
    const variables = Object.entries({ ...world.env, ...env });
    const flags = variables.flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    tmux('new-session', '-d', '-s', name, '-x', String(cols), '-y', String(rows), ...flags, 'exec sh');
    tmux('set-option', '-t', name, 'status', 'off');
    const keys = (...words: string[]) => void tmux('send-keys', '-t', name, ...words);
    const screen = () => tmux('capture-pane', '-p', '-t', name);
    const rowsOf = () => screen().replace(/\n$/, '').split('\n');
    const ask = (format: string) => tmux('display-message', '-p', '-t', name, format).trim();
    const sees = (what: string | RegExp, limitMs = 30_000) =>
      until(
        () => (typeof what === 'string' ? screen().includes(what) : what.test(screen())),
        () => `"${what}" on the screen:\n${screen()}`,
        limitMs,
      );
    const start = () => keys(`'${process.execPath}' '${builtBin}'`, 'Enter');
    const pid = () =>
      Number(
        spawnSync('pgrep', ['-P', ask('#{pane_pid}')], { encoding: 'utf8' })
          .stdout.trim()
          .split('\n')[0],
      );
    return {
      name,
      keys,
      screen,
      rows: rowsOf,
      ask,
      sees,
      start,
      pid,
      resize: (width: number, height: number) =>
        tmux('resize-window', '-t', name, '-x', String(width), '-y', String(height)),
    };
  }

  return {
    ...world,
    tmux,
    open,
    end: () => {
      spawnSync('tmux', ['-S', socket, 'kill-server']);
      world.end();
    },
  };
}
