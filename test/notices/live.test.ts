// Notices as they arrive: bytes at a real terminal, also through tmux, arguments at a desktop program, JSON at the
// user's command; once for each event, whoever sees it, and none while a dashboard is looked at.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
// @ts-expect-error plain JavaScript, shared with the bench
import { fakeExecution } from '../bench/fake-execution.mjs';
import { patience, until } from '../cli/cli-world.ts';
import { controlsIn, evil } from '../cli/hostile-world.ts';
import { builtBin } from '../dashboard/dash-world.ts';

vi.setConfig(patience);
const { spawn } = createRequire(import.meta.url)('node-pty');
const child = fileURLToPath(new URL('notice-child.mjs', import.meta.url));
type Terminal = { seen: { text: string }; ended: Promise<void>; type(text: string): void; kill(): void };

let folder: string;
let env: Record<string, string>;
let open: Terminal[] = [];
const at = (...parts: string[]) => path.join(folder, ...parts);
beforeEach(() => {
  folder = mkdtempSync('/tmp/bl-');
  for (const name of ['run', 'state', 'bin']) mkdirSync(at(name), { mode: 0o700 });
  // What a desktop would get, one line an argument.
  writeFileSync(at('bin', 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" end >>'${at('sent')}'\n`);
  chmodSync(at('bin', 'notify-send'), 0o755);
  env = {
    PATH: `${at('bin')}:${process.env.PATH}`,
    HOME: folder,
    TERM: 'xterm-256color',
    BATON_RUNTIME_DIR: at('run'),
    BATON_STATE_DIR: at('state'),
  };
});
afterEach(async () => {
  for (const terminal of open) terminal.kill();
  await Promise.all(open.map(({ ended }) => ended));
  open = [];
  spawnSync('tmux', ['-S', at('s'), 'kill-server']);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

function onTerminal(argv: readonly string[], more: Record<string, string> = {}): Terminal {
  const [program = '', ...args] = argv;
  const terminal = spawn(program, args, { cols: 80, rows: 24, env: { ...env, ...more }, cwd: folder });
  const seen = { text: '' };
  terminal.onData((text: string) => {
    seen.text += text;
  });
  const ended = new Promise<void>(resolve => terminal.onExit(() => resolve()));
  const one = { seen, ended, type: (text: string) => terminal.write(text), kill: () => terminal.kill() };
  open.push(one);
  return one;
}

const asks = (agent: string, title = 'Run rm?') => ({
  id: 7,
  time: '2026-01-02T10:00:00.000Z',
  type: 'question_opened',
  agent,
  data: {
    attempt: 1,
    question: {
      kind: 'permission',
      title,
      options: [{ number: 1, label: 'Yes' }],
      digest: `digest-of-${agent}`,
      asked_at: '2026-01-02T10:00:00.000Z',
    },
  },
});
const telling = (more: object) => [process.execPath, child, JSON.stringify({ workspace: folder, ...more })];
const count = (text: string, piece: string) => text.split(piece).length - 1;
const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
const toFile = ['sh', '-c', 'cat >>"$HOME/told"'];

test('a terminal gets bell, title and its own notice once for several events, and its old title back', async () => {
  const events = [asks('one'), asks('two'), asks('one')];
  const terminal = onTerminal(telling({ events, command: toFile }), { TERM_PROGRAM: 'iTerm.app' });
  await terminal.ended;
  const { text } = terminal.seen;
  expect(count(text, '\u001b]2;baton: 2 things need you\u0007')).toBe(1);
  expect(count(text, '\u001b]9;baton: 2 things need you: one asks (permission), two asks (permission)\u0007')).toBe(1);
  expect(count(text, '\u0007')).toBe(3); // the ends of both, and the bell
  expect([count(text, '\u001b[22;2t'), count(text, '\u001b[23;2t')]).toEqual([1, 1]);
  expect(text.endsWith('\u001b[23;2t')).toBe(true);
  const told = JSON.parse(read('told'));
  expect(told).toMatchObject({ version: 1, title: '2 things need you', notices: [{ agent: 'one' }, { agent: 'two' }] });
  expect(read('sent')).toBe(''); // the terminal has shown it
});

test('hostile words are only words for terminal, desktop and command', async () => {
  const events = [asks('one', `${evil}really; rm? <b>`)];
  const terminal = onTerminal(telling({ events, command: toFile }), { TERM_PROGRAM: 'WezTerm' });
  await terminal.ended;
  const rest = terminal.seen.text
    .replace(/\u001b\]777;notify;baton: one asks \(permission\);[^;\u0000-\u001f\u007f-\u009f]*\u0007/, '')
    .replace('\u0007', '');
  expect(controlsIn(rest, true)).toBeNull();
  expect(controlsIn(JSON.stringify(JSON.parse(read('told'))))).toBeNull();
  rmSync(at('state', 'notices'), { recursive: true });
  await onTerminal(telling({ events }), { DISPLAY: ':0' }).ended;
  const [app, dashes, title, body, end] = read('sent').split('\n');
  expect([app, dashes, title, end]).toEqual(['--app-name=baton', '--', 'baton: one asks (permission)', 'end']);
  expect(controlsIn(body!)).toBeNull();
  expect(body).toContain('&lt;script&gt;');
});

test('many processes at once tell one event once', async () => {
  const more = { events: [asks('one')], command: toFile };
  const all = Array.from({ length: 4 }, () => onTerminal(telling(more), { DISPLAY: ':0' }));
  await Promise.all(all.map(({ ended }) => ended));
  expect(read('told').trim().split('\n')).toHaveLength(1);
  expect(read('sent').match(/^end$/gm)).toHaveLength(1);
  expect(all.filter(({ seen }) => seen.text.includes('\u0007'))).toHaveLength(1);
});

test('while a dashboard has the focus nothing is told, and again when it has lost it', async () => {
  const dashboard = onTerminal([process.execPath, builtBin, 'dashboard']);
  const looking = () =>
    existsSync(at('run', 'dashboard-focus')) ? readdirSync(at('run', 'dashboard-focus')).length : 0;
  const tell = async (agent: string) => {
    await onTerminal(telling({ events: [asks(agent)], command: toFile })).ended;
    return read('told').trim().split('\n').filter(Boolean).length;
  };
  await until(() => dashboard.seen.text.includes('\u001b[?1004h') && looking() === 1, 'the focus of a dashboard');
  expect(await tell('one')).toBe(0);
  dashboard.type('\u001b[O');
  await until(() => looking() === 0, 'no focus');
  expect(await tell('two')).toBe(1);
  dashboard.type('\u001b[I');
  await until(() => looking() === 1, 'the focus again');
  expect(await tell('three')).toBe(1);
  dashboard.kill();
  await dashboard.ended;
  expect(await tell('four')).toBe(2);
});

test('of several dashboards that nobody looks at, one tells that somebody is needed; what was there before is not told', async () => {
  const fake = fakeExecution({ folder, agents: 2, state: 'running' });
  const ask = (agent: string, at: string) => {
    const event = asks(agent);
    const question = { ...event.data.question, asked_at: at };
    const line = { ...event, time: at, data: { ...event.data, question } };
    appendFileSync(path.join(fake.workspace, 'events.ndjson'), `${JSON.stringify(line)}\n`);
    fake.write({ [agent]: { claude: { ...fake.line(0, 1).claude, question } } });
  };
  ask('agent-00', new Date(Date.now() - 1000).toISOString());
  const dashboards = [1, 2].map(() => onTerminal([process.execPath, builtBin, 'dashboard']));
  const tells = () => dashboards.map(({ seen }) => count(seen.text, '\u001b]2;baton: '));
  for (const { seen, type } of dashboards) {
    await until(() => seen.text.includes('Run rm?'), 'the question');
    type('\u001b[O');
  }
  await until(() => readdirSync(at('run', 'dashboard-focus')).length === 0, 'no focus');
  ask('agent-01', new Date().toISOString());
  await until(
    () => tells().some(number => number > 0),
    () => `a notice in ${JSON.stringify(dashboards[0]!.seen.text.slice(-500))}`,
  );
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(tells().toSorted()).toEqual([0, 1]);
  const all = dashboards.map(({ seen }) => seen.text).join('');
  expect(all).toContain('\u001b]2;baton: agent-01 asks (permission)\u0007');
  for (const { type, ended } of dashboards) {
    type('q');
    await ended;
  }
  expect(dashboards.map(({ seen }) => count(seen.text, '\u001b[23;2t')).toSorted()).toEqual([0, 1]);
});

test('through tmux the bell arrives, the title is that of the pane and of the outer terminal, and goes again', async () => {
  const tmux = (...args: string[]) => spawnSync('tmux', ['-S', at('s'), ...args], { encoding: 'utf8', env }).stdout;
  writeFileSync(at('tmux.conf'), 'set -g set-titles on\nset -g set-titles-string "#{pane_title}"\n');
  const outer = onTerminal(['tmux', '-S', at('s'), '-f', at('tmux.conf'), '-u', 'new-session', '-s', 'p', 'sh']);
  const title = () => tmux('display-message', '-p', '-t', 'p', '#{pane_title}').trim();
  await until(() => title() !== '', 'a pane');
  const before = title();
  const job = telling({ events: [asks('one')], restMs: 1500 }).map(word => `'${word}'`);
  outer.seen.text = '';
  tmux('send-keys', '-t', 'p', job.join(' '), 'Enter');
  await until(
    () => title() === 'baton: one asks (permission)',
    () => `a title, not ${title()}`,
  );
  await until(() => /\u001b\][02];baton: one asks \(permission\)\u0007/.test(outer.seen.text), 'the title outside');
  await until(() => outer.seen.text.replaceAll(/\u001b\][^\u0007]*\u0007/g, '').includes('\u0007'), 'the bell');
  expect(outer.seen.text).not.toMatch(/\u001b\](9|777);/); // tmux would drop them: none is sent
  await until(
    () => title() === before,
    () => `"${before}" again, not "${title()}"`,
  );
});
