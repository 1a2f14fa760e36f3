// Panes that were adopted without hooks: no file of the project is changed, and the cycle is proven by the session
// file and the transcript of Claude Code, the screen and git.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience, until } from '../cli/cli-world.ts';
import { type AdoptWorld, makeAdoptWorld } from './adopt-world.ts';

vi.setConfig(patience);
let world: AdoptWorld;
let git: ReturnType<AdoptWorld['project']>;
let pane: string;
let other: string;

const LINE = `sed -n 's/.*"total_input_tokens":\\([0-9]*\\).*/ctx: \\1 tokens/p'`;

beforeAll(async () => {
  world = await makeAdoptWorld({ script: 'grower', set: { start: 20_000, step: 20_000 }, projects: ['shop'] });
  git = world.project('shop', { context_threshold: 60_000 });
  mkdirSync(world.at('shop', '.claude'));
  writeFileSync(
    world.at('shop', '.claude', 'settings.json'),
    JSON.stringify({ statusLine: { type: 'command', command: LINE } }),
  );
  await world.run('watchdog', 'start');
  pane = await world.openClaude('shop');
  other = await world.openClaude('shop'); // beside it, in the same folder: not given to Baton
});
afterAll(() => world.close());

const mine = () => world.health().panes.find(each => each.pane === pane);
const ended = (count: number) =>
  until(
    () => world.records().length === count && mine()?.handoff === null,
    () => `${JSON.stringify(world.health())}\n${world.log()}\n${world.screen(pane)}`,
  );

// Without the rows around the box, where Claude Code tells tips of its own; what is typed stands in the box.
const conversation = (screen: string) =>
  screen
    .split('\n')
    .filter(row => row.trim() !== '' && !/focus-events|\/effort|auto mode on/.test(row))
    .join('\n');

test('asked by hand it is handed over, though another session works in the same folder', async () => {
  const adopted = await world.adopt(pane, '--no-hooks');
  expect([adopted.code, adopted.stderr]).toEqual([0, '']);
  expect(adopted.stdout).toContain('compaction held off during a handoff (PreCompact): it may strike');
  expect(existsSync(world.at('shop', '.claude', 'settings.local.json'))).toBe(false);
  await world.say(pane, 'work on part 1', /● .*\n/);
  await world.say(other, 'work on something else', /● .*\n/);
  await world.shows(other, /ctx: 20000 tokens/);
  const before = conversation(world.screen(other));
  await until(
    () => mine()?.tokens === 20_000,
    () => JSON.stringify(world.health()),
  );
  const asked = await world.handoff(pane);
  expect([asked.code, asked.stderr]).toEqual([0, '']);
  await ended(1);
  const [record] = world.records();
  expect(record).toMatchObject({ reason: 'manual', outcome: 'closed', written_by: 'agent', tokens_before: 20_000 });
  expect(record!.session_after).not.toBe(record!.session_before);
  expect(git('log', '-1', '--format=%H %s')).toBe(`${record!.commit!.sha} docs: orchestrator handoff checkpoint`);
  await world.shows(pane, /I have read the handoff document and go on\./);
  expect(conversation(world.screen(other))).toBe(before);
  expect(existsSync(world.at('shop', '.claude', 'settings.local.json'))).toBe(false);
});

test('over its threshold, as transcript and the own status line agree, it is handed over by itself', async () => {
  for (let part = 2; part < 6 && (mine()?.tokens ?? 0) < 60_000; part += 1) {
    const tokens = mine()?.tokens;
    await world.say(pane, `work on part ${part}`, new RegExp(`part ${part}[^●]*● .*\n`));
    await until(
      () => mine()?.tokens !== tokens,
      () => JSON.stringify(mine()),
    );
  }
  await ended(2);
  expect(world.records()[1]).toMatchObject({ reason: 'context threshold', outcome: 'closed', written_by: 'agent' });
  expect(world.records()[1]!.tokens_before).toBeGreaterThanOrEqual(60_000);
});

test('Claude Code that ended left a shell behind, and nothing is typed into it', async () => {
  world.tmux('send-keys', '-t', pane, '-l', '/exit');
  await world.shows(pane, /\/exit/);
  world.tmux('send-keys', '-t', pane, 'Enter');
  await world.shows(pane, /--resume .*\n[#$] *$/);
  const screen = world.screen(pane);
  let refused = await world.handoff(pane);
  for (let tries = 0; tries < 5 && refused.code === 0; tries += 1) refused = await world.handoff(pane);
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('no one session of Claude Code')]);
  expect(world.screen(pane)).toBe(screen);
  expect(world.records()).toHaveLength(2);
});
