// Makes the pictures of this folder from a real run: `node docs/pictures/make.mjs` after a build. Opens the demo (real
// Claude Code, scripted model) in a tmux of its own, waits until its handoff runs, and draws what the screen shows.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { screenPicture } from '../../dist/dashboard/picture.js';

const [COLUMNS, ROWS, LIMIT_MS] = [132, 16, 90_000];
const here = fileURLToPath(new URL('.', import.meta.url));
const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const folder = mkdtempSync('/tmp/baton-picture-');
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  COLORTERM: 'truecolor',
  BATON_THEME: 'dark',
};
const tmux = (...args) =>
  execFileSync('tmux', ['-S', path.join(folder, 's'), '-f', '/dev/null', '-u', ...args], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const screen = (...more) => tmux('capture-pane', '-p', ...more, '-t', 'p');

async function until(what) {
  for (const end = Date.now() + LIMIT_MS; !what.test(screen()); await sleep(100)) {
    if (Date.now() > end) throw new Error(`${what} is not on the screen:\n${screen()}`);
  }
}

try {
  tmux(
    'new-session',
    '-d',
    '-s',
    'p',
    '-x',
    String(COLUMNS),
    '-y',
    String(ROWS),
    '-c',
    folder,
    `exec '${process.execPath}' '${bin}' demo`,
  );
  tmux('set-option', '-t', 'p', 'status', 'off');
  await until(/frontend +asks/);
  tmux('send-keys', '-t', 'p', 'g'); // the first message makes room for the keys
  await until(/⇄writing/);
  await until(/tester +done/);
  writeFileSync(
    path.join(here, 'dashboard.svg'),
    screenPicture(
      screen('-e'),
      COLUMNS,
      'The dashboard during the sample run: one agent asks, one is being handed off',
    ),
  );
  tmux('send-keys', '-t', 'p', 'g', 'Enter');
  await until(/It asks/);
  tmux('send-keys', '-t', 'p', '1');
  await until(/5 done/);
  tmux('send-keys', '-t', 'p', 'q', 'q'); // the report, then the dashboard
  await sleep(3000);
} finally {
  try {
    tmux('kill-server');
  } catch {
    // It ended with the demo.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
