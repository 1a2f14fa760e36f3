// A real Claude Code in a tmux that is not Baton's, given to the watchdog and taken back.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withOurs, withoutOurs } from '../../src/watching/adopt-settings.ts';
import { patience, until } from '../cli/cli-world.ts';
import { type AdoptWorld, makeAdoptWorld } from './adopt-world.ts';

vi.setConfig(patience);
const scripts = fileURLToPath(new URL('../../templates/claude', import.meta.url));
let world: AdoptWorld;
const file = (project: string) => world.at(project, '.claude', 'settings.local.json');
const receipts = (pane: string) => path.join(world.channel(pane), 'receipts.ndjson');

beforeAll(async () => {
  world = await makeAdoptWorld({ script: 'puppet', projects: ['one', 'two'] });
});
afterAll(() => world.close());

test('a pane without Claude Code, and a project nobody agreed to change, are left alone', async () => {
  const pane = world.tmux('new-session', '-d', '-c', world.at('one'), '-P', '-F', '#{pane_id}', '--', '/bin/sh');
  await until(() => world.screen(pane) !== '', 'a shell');
  const [shell, unasked, absent] = [
    await world.adopt(pane, '--yes'),
    await world.adopt('%999', '--yes'),
    await world.release(pane),
  ];
  expect([shell.code, shell.stderr]).toEqual([6, expect.stringContaining('shows no Claude Code')]);
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('no living pane %999')]);
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('is not adopted')]);
  expect(existsSync(world.at('one', '.claude'))).toBe(false);
});

test('a running session takes up the hooks, the watchdog sees it, and release leaves not a trace', async () => {
  const pane = await world.openClaude('one');
  const unasked = await world.adopt(pane);
  expect([unasked.code, unasked.stderr]).toEqual([6, expect.stringContaining('--yes')]);
  expect(existsSync(world.at('one', '.claude'))).toBe(false);

  await world.run('watchdog', 'start');
  const adopted = await world.adopt(pane, '--yes', '--role', 'orchestrator');
  expect([adopted.code, adopted.stderr]).toEqual([0, '']);
  expect(adopted.stdout).toContain('the running session has taken up the hooks');
  await world.say(pane, 'say hello', /● hello/);
  await until(() => readFileSync(receipts(pane), 'utf8').includes('"event":"Stop"'), 'a receipt of the turn');
  await until(
    () => world.health().panes[0]?.session_id != null && world.health().panes[0]?.tokens !== null,
    () => JSON.stringify(world.health()),
  );
  const { status } = JSON.parse((await world.run('watchdog', 'status', '--json')).stdout);
  expect(status.panes).toEqual([
    expect.objectContaining({ socket: world.socket, pane, threshold: 100_000, handoff: null, lacks: [] }),
  ]);

  const released = await world.release(pane);
  expect([released.code, released.stdout]).toEqual([0, expect.stringContaining('as it was before')]);
  expect(existsSync(world.at('one', '.claude'))).toBe(false);
  expect(existsSync(path.dirname(receipts(pane)))).toBe(false);
  await until(
    () => !world.screen(pane).includes('context:'),
    () => world.screen(pane),
  );
  await world.say(pane, 'say again', /● again/);
  expect(existsSync(receipts(pane))).toBe(false);
  const after = JSON.parse((await world.run('watchdog', 'status', '--json')).stdout);
  expect(after.status.panes).toEqual([]);
});

test('settings that were there come back byte for byte, and the own status line stays in sight meanwhile', async () => {
  const own = { type: 'command', command: 'echo "it\'s mine"' };
  const hook = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] };
  const before = `{\n\t"statusLine": ${JSON.stringify(own)},\n\t"hooks": {"Stop": [], "PreToolUse": [${JSON.stringify(hook)}]},\t"x": 1.0}`;
  mkdirSync(world.at('two', '.claude'));
  writeFileSync(file('two'), before);
  chmodSync(file('two'), 0o640);
  const pane = await world.openClaude('two');
  await until(
    () => world.screen(pane).includes("it's mine"),
    () => world.screen(pane),
  );

  expect((await world.adopt(pane, '--yes')).code).toBe(0);
  await until(
    () => /context: [\s\S]*it's mine/.test(world.screen(pane)),
    () => world.screen(pane),
  );
  const during = JSON.parse(readFileSync(file('two'), 'utf8'));
  expect(during).toMatchObject({ x: 1, hooks: { PreToolUse: [hook] } });
  expect(during.hooks.Stop).toHaveLength(1);
  expect((await world.adopt(pane, '--yes')).code).toBe(0); // again: nothing is doubled
  expect(JSON.parse(readFileSync(file('two'), 'utf8'))).toEqual(during);
  expect((await world.release(pane)).code).toBe(0);
  expect(readFileSync(file('two'), 'utf8')).toBe(before);
  expect(statSync(file('two')).mode & 0o777).toBe(0o640);

  // Claude Code itself writes to this file when somebody allows a command for good.
  expect((await world.adopt(pane, '--yes')).code).toBe(0);
  const changed = { ...JSON.parse(readFileSync(file('two'), 'utf8')), permissions: { allow: ['Bash(ls)'] } };
  writeFileSync(file('two'), JSON.stringify(changed));
  expect((await world.release(pane)).stdout).toContain('was changed since');
  expect(JSON.parse(readFileSync(file('two'), 'utf8'))).toEqual({
    statusLine: own,
    hooks: { PreToolUse: [hook] },
    x: 1,
    permissions: { allow: ['Bash(ls)'] },
  });

  const bare = await world.adopt(pane, '--no-hooks');
  expect([bare.code, bare.stdout]).toEqual([0, expect.stringContaining('without hooks this is missing:')]);
  expect(readFileSync(file('two'), 'utf8')).not.toContain('baton');
  expect((await world.release(pane)).code).toBe(0);

  writeFileSync(file('two'), '{ // mine\n}');
  const broken = await world.adopt(pane, '--yes');
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('not valid JSON')]);
  expect((await world.release(pane)).code).toBe(2); // it was not adopted
});

test('the commands speak only for adopted panes; others of the project show the own status line alone', () => {
  const panes = ['%1', '%2'].map(pane => {
    const folder = world.at(`pane ${pane}'s`);
    mkdirSync(folder);
    const at = (name: string) => path.join(folder, name);
    return {
      socket: '/tmp/a,b',
      pane,
      places: { receipts: at('r'), record: at('s'), blockCompact: at('b'), order: at('o') },
    };
  });
  const settings = withOurs({ a: 1 }, { panes, scripts, theirLine: "printf '%s' \"it's mine\"" });
  const line = (settings.statusLine as { command: string }).command;
  const stop = (settings.hooks as Record<string, { hooks: { command: string }[] }[]>).Stop![0]!.hooks[0]!.command;
  const run = (command: string, pane: string) =>
    spawnSync('/bin/sh', ['-c', command], {
      input: '{"session_id":"s","context_window":{"total_input_tokens":45200}}\n',
      env: { PATH: process.env.PATH, TMUX: '/tmp/a,b,12,0', TMUX_PANE: pane },
      encoding: 'utf8',
    });
  expect(run(line, '%2').stdout).toBe("context: 45.2k tokens\nit's mine\n");
  expect(run(line, '%3').stdout).toBe("it's mine");
  for (const pane of ['%2', '%3']) expect(run(stop, pane)).toMatchObject({ status: 0, stdout: '' });
  expect(existsSync(panes[0]!.places.receipts)).toBe(false);
  expect(readFileSync(panes[1]!.places.receipts, 'utf8')).toContain('"pane":"%2"');
  expect(readFileSync(panes[1]!.places.record, 'utf8')).toContain('45200');
  expect(withoutOurs(settings, undefined)).toEqual({ a: 1 });
});
