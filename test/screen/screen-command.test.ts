import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { capturePane } from '../../src/tmux/capture-pane.ts';
import { fixture } from './fixtures.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/screens/2.1.326/', import.meta.url));
const folder = mkdtempSync('/tmp/scr-');
const socket = path.join(folder, 's');
const tmux = (...args: string[]) => execFileSync('tmux', ['-S', socket, '-u', ...args], { encoding: 'utf8' });

afterAll(() => {
  spawnSync('tmux', ['-S', socket, 'kill-server']);
  rmSync(folder, { recursive: true, force: true });
});

function baton(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

// A pane that shows a captured screen as it was, and then waits.
async function showInPane(name: string): Promise<string> {
  const file = path.join(folder, `${name}.show`);
  writeFileSync(file, fixture(name).text.replace(/\n+$/, '').replaceAll('\n', '\r\n'));
  const [width, height] = ['120', '40'];
  const command = `stty -echo raw; clear; cat '${file}'; sleep 60`;
  const pane = tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-x',
    width,
    '-y',
    height,
    command,
  ).trim();
  for (const until = performance.now() + 5000; performance.now() < until; ) {
    if (tmux('capture-pane', '-p', '-t', pane).includes('❯')) return pane;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('the pane stayed empty');
}

test('a capture in a file is read as JSON with exactly the promised keys', () => {
  const { code, stdout } = baton('screen', '--file', path.join(fixtures, 'after-turn.txt'), '--json');
  expect(code).toBe(0);
  const reading = JSON.parse(stdout);
  expect(Object.keys(reading)).toEqual(['state', 'safe_to_type', 'draft', 'placeholder', 'context', 'error']);
  expect(reading).toMatchObject({ state: 'idle', safe_to_type: true, context: { tokens: 22_000, percent: 2 } });
});

test('without --json the same is said in words', () => {
  const { stdout } = baton('screen', '--file', path.join(fixtures, 'api-error-529-retrying.txt'));
  expect(stdout).toMatch(/^state +retrying$/m);
  expect(stdout).toMatch(/^safe to type +no$/m);
  expect(stdout).toMatch(/^error +overloaded: 529 Overloaded \(trying again\)$/m);
});

test('a file that is not there, no pane and both at once are refused with their cure', () => {
  expect(baton('screen', '--file', path.join(folder, 'none.txt'))).toMatchObject({ code: 2 });
  expect(baton('screen')).toMatchObject({ code: 2, stderr: expect.stringContaining('baton screen %3') });
  expect(baton('screen', '%0', '--file', 'x')).toMatchObject({ code: 2 });
  expect(baton('screen', '%999', '--socket', socket)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('%999'),
  });
});

test('a living pane is captured with its escapes and read; in copy mode it is not safe', async () => {
  const pane = await showInPane('after-turn.txt');
  const read = () => JSON.parse(baton('screen', pane, '--socket', socket, '--json').stdout);
  expect(await capturePane(socket, pane)).toMatchObject({ width: 120, height: 40, isInMode: false, isDead: false });
  expect(read()).toMatchObject({ state: 'idle', safe_to_type: true });
  tmux('copy-mode', '-t', pane);
  expect(read()).toMatchObject({ safe_to_type: false });
});
