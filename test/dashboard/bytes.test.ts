// Every byte the dashboard writes to a terminal, read by node-pty: nothing of an agent is obeyed, a change is soon
// there, and a screen that does not change is not written.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error plain JavaScript, shared with the bench
import { fakeExecution } from '../bench/fake-execution.mjs';
import { until } from '../cli/cli-world.ts';
import { builtBin } from './dash-world.ts';

const { spawn } = createRequire(import.meta.url)('node-pty');
const evil = '\u001b]52;c;aGFjaw==\u0007\u001b]0;owned\u0007\u001b[2J\u001bc\u202e<script>\u009d52;c;eA==\u009c';

let folder: string;
let terminal: { write(text: string): void; kill(): void } | null = null;
let written = '';
let ended: Promise<void> = Promise.resolve();
beforeEach(() => {
  folder = mkdtempSync('/tmp/bb-');
  for (const name of ['run', 'state']) mkdirSync(path.join(folder, name), { mode: 0o700 });
  written = '';
});
afterEach(async () => {
  terminal?.kill();
  await ended; // it would write into a folder that is gone
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

function open(): void {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TERM: 'xterm-256color',
    BATON_RUNTIME_DIR: path.join(folder, 'run'),
    BATON_STATE_DIR: path.join(folder, 'state'),
  };
  const opened = spawn(process.execPath, [builtBin, 'dashboard'], { cols: 120, rows: 20, env });
  opened.onData((text: string) => {
    written += text;
  });
  ended = new Promise(resolve => opened.onExit(() => resolve()));
  terminal = opened;
}

const sees = (words: string) =>
  until(
    () => written.includes(words),
    () => `"${words}" in ${JSON.stringify(written.slice(-2000))}`,
    20_000,
  );

test('nothing an agent says reaches the terminal as a command, in any zoom', async () => {
  const world = fakeExecution({ folder, agents: 3, state: 'running' });
  const question = {
    kind: 'question',
    title: `${evil}really?`,
    options: [{ number: 1, label: `${evil}yes` }],
    digest: 'abcdef0123456789',
    asked_at: new Date().toISOString(),
  };
  const change = {
    last_line: `${evil}begin ${'y'.repeat(1_000_000)}`,
    claude: { ...world.line(0, 1).claude, question },
  };
  world.write({ 'agent-00': change, 'agent-01': { last_line: `${evil}said` } });
  open();
  await sees('really?');
  await sees('said');
  terminal!.write('\r');
  await sees('yes');
  terminal!.write('\t');
  await sees(' list'); // the graph: Tab leads back to the list
  expect(written).not.toMatch(/\u001b\]|\u009d|\u009b|\u001bc|\u202e|\u001b\[2J/);
});

test('a key acts on the row it was pressed for although another has come before it on the screen', async () => {
  const world = fakeExecution({ folder, agents: 3, state: 'running' });
  const question = {
    kind: 'question',
    title: 'which one?',
    options: [1, 2].map(number => ({ number, label: `option ${number}` })),
    digest: 'abcdef0123456789',
    asked_at: new Date().toISOString(),
  };
  const claude = { ...world.line(1, 1).claude, question };
  world.write();
  open();
  await sees('›agent-00');
  written = '';
  world.write({ 'agent-01': { claude } });
  terminal!.write('\u001b[200~H\u001b[201~'); // what is pasted is no key
  await sees('which one?'); // agent-01 stands above now
  await sees('what is pasted');
  terminal!.write('H');
  await sees('hold agent-00 …');
  terminal!.write('/agent-01\r1'); // its question cannot be read yet: this shows it
  await sees('option 2');
  expect(written).not.toMatch(/hold agent-01|answer 1/);
  terminal!.write('1');
  await sees('answer 1. option 1 …');
});

test('a change is on the screen soon, and without one nothing is written', async () => {
  const world = fakeExecution({ folder, agents: 2, state: 'success' });
  world.write();
  open();
  await sees('agent-01');
  const begun = performance.now();
  world.write({ 'agent-01': { last_line: 'a new last line' } });
  await sees('a new last line');
  expect(performance.now() - begun).toBeLessThan(5000); // the bench has the real figure; this machine may be busy
  await new Promise(resolve => setTimeout(resolve, 500));
  const before = written.length;
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(written.length - before).toBeLessThan(400); // at most the minute of the clock
});
