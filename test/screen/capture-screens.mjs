// Captures the screens of the real Claude Code into test/fixtures/screens/<version>/. Run by hand when a new
// version comes; then look at every new file with your own eyes before its line goes into EXPECTED.json.
//
//   node test/screen/capture-screens.mjs [--into DIR] [--size 120x40] [--tui default|fullscreen] [--walk NAME]

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { walks } from './screen-walks.mjs';
import { startModel } from './scripted-model.mjs';

const { values } = parseArgs({
  options: {
    into: { type: 'string' },
    size: { type: 'string', multiple: true, default: ['200x50', '120x40', '80x24', '40x12'] },
    tui: { type: 'string', multiple: true, default: ['default', 'fullscreen'] },
    walk: { type: 'string', multiple: true },
    focus: { type: 'boolean', default: false },
  },
});

const repo = fileURLToPath(new URL('../..', import.meta.url));
const claude = path.join(repo, 'node_modules/.bin/claude');
const version = execFileSync(claude, ['--version'], { encoding: 'utf8' }).split(' ')[0];
const into = values.into ?? path.join(repo, 'test/fixtures/screens', version);
const KEY = 'sk-ant-none-000000000000-practice';
const world = mkdtempSync('/tmp/screens-');
const socket = path.join(world, 's');
const tmux = (...args) => execFileSync('tmux', ['-S', socket, '-u', ...args], { encoding: 'utf8' });
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
let count = 0;

// One pane with one program in it, and the few things a person could do there.
async function openPane({
  size,
  tui,
  port,
  settings = {},
  seed = {},
  files = {},
  env = {},
  args = [],
  shell,
  after = '',
}) {
  count += 1;
  const home = path.join(world, `h${count}`);
  const cwd = path.join(home, 'repo');
  mkdirSync(path.join(home, '.claude'), { recursive: true });
  mkdirSync(cwd);
  for (const [name, text] of Object.entries({ 'old.txt': 'old line\nsecond line\n', ...files })) {
    writeFileSync(path.join(cwd, name), text);
  }
  const state = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: version,
    theme: 'dark',
    hasSeenAutoDefaultNotice: true,
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    ...seed,
  };
  if (seed !== null) writeFileSync(path.join(home, '.claude/.claude.json'), JSON.stringify(state));
  const status = path.join(home, 'status.sh');
  const line = 'cat >/tmp/null.$$; rm -f /tmp/null.$$; echo "context: 45.2k tokens (23%)"';
  writeFileSync(status, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const all = {
    tui,
    statusLine: { type: 'command', command: status, padding: 0 },
    permissions: { defaultMode: 'default' },
    ...settings,
  };
  const settingsFile = path.join(home, 'settings.json');
  writeFileSync(settingsFile, JSON.stringify(all));
  const variables = {
    HOME: home,
    PATH: `${path.dirname(claude)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: 'tmux-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    USER: 'demo',
    PS1: 'demo$ ',
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    IS_SANDBOX: '1',
    ...env,
  };
  const words = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const program = shell ?? `claude --settings ${settingsFile} ${args.join(' ')}`;
  const [x, y] = size.split('x');
  const name = `p${count}`;
  const inner = after ? `bash --norc --noprofile -c "${program}; ${after}"` : program;
  tmux('new-session', '-d', '-s', name, '-x', x, '-y', y, '-c', cwd, `exec env -i ${words.join(' ')} ${inner}`);
  tmux('set-option', '-w', '-t', name, 'window-size', 'manual');
  const look = () => tmux('capture-pane', '-p', '-t', name);
  const pane = {
    cwd,
    file: path.join(cwd, 'old.txt'),
    pid: () => Number(tmux('display-message', '-p', '-t', name, '#{pane_pid}')),
    // The program inside of the shell that tmux started.
    killChild() {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pane.pid())], { encoding: 'utf8' });
      for (const pid of children.split('\n').map(Number).filter(Boolean)) process.kill(pid, 'SIGKILL');
    },
    keys: (...keys) => tmux('send-keys', '-t', name, ...keys),
    type: text => tmux('send-keys', '-t', name, '-l', text),
    paste(text) {
      execFileSync('tmux', ['-S', socket, 'load-buffer', '-b', name, '-'], { input: text });
      tmux('paste-buffer', '-p', '-d', '-b', name, '-t', name);
    },
    async send(text) {
      pane.type(text);
      await pause(400);
      pane.keys('Enter');
    },
    // Resolves when the pattern is on the screen (or gone, with not); never waits longer than the limit.
    async until(pattern, { not = false, limit = 15_000 } = {}) {
      for (const start = Date.now(); Date.now() - start < limit; await pause(100)) {
        if (pattern.test(look()) !== not) return true;
      }
      console.error(`  ${name} ${size} ${tui}: never ${not ? 'lost' : 'saw'} ${pattern}`);
      return false;
    },
    async settle(ms = 700) {
      await pause(ms);
    },
    // A person looks in and leaves again: the program is told that it lost the keyboard.
    async visit() {
      const client = spawn('script', ['-qc', `tmux -S ${socket} -u attach -t ${name}`, '/dev/null'], {
        stdio: 'ignore',
      });
      await pause(2500);
      tmux('detach-client', '-s', name);
      await once(client, 'exit');
    },
    resize: to => tmux('resize-window', '-t', name, '-x', to.split('x')[0], '-y', to.split('x')[1]),
    snap(label) {
      const text = tmux('capture-pane', '-p', '-e', '-t', name).replaceAll(world, '/tmp/demo');
      writeFileSync(path.join(into, `${label}.${size}.${tui}.txt`), text);
    },
    close: () => tmux('kill-session', '-t', name),
  };
  return pane;
}

// The left arrow sends a session into the background, to a process of its own that outlives the pane: those
// that name our folder are ended, each by its id.
function endLeftovers() {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of lines.filter(one => one.includes(`${world}/`))) {
    const pid = Number.parseInt(line, 10);
    if (pid !== process.pid) process.kill(pid, 'SIGKILL');
  }
}

async function main() {
  mkdirSync(into, { recursive: true });
  const file = path.join(world, 'unused');
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keep', 'sleep 3600');
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  tmux('set-option', '-g', 'focus-events', values.focus ? 'on' : 'off');
  for (const [name, walk] of Object.entries(walks)) {
    if (values.walk && !values.walk.includes(name)) continue;
    for (const size of values.size) {
      await Promise.all(
        values.tui.map(async tui => {
          let target = file;
          const model = await startModel(() => target);
          const open = async options => {
            const pane = await openPane({ size, tui, port: model.port, ...options });
            target = pane.file;
            return pane;
          };
          try {
            await walk(open, { size, tui, pause });
            console.log(`${name} ${size} ${tui}`);
          } catch (fault) {
            console.error(`${name} ${size} ${tui}: ${fault.stack}`);
          }
          model.stop();
        }),
      );
    }
  }
}

try {
  await main();
} finally {
  tmux('kill-server');
  await pause(1500);
  endLeftovers();
  rmSync(world, { recursive: true, force: true });
}
process.exit(0);
