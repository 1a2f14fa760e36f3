// No loops, no burnt money, with the real Claude Code: a fresh session that is full at once, the breaker that a
// restart does not forgive, and the cap on cost.

import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { patience, until } from '../cli/cli-world.ts';
import { isFull } from '../test-size.ts';
import { makeAdoptWorld } from './adopt-world.ts';
import { makeFleet } from './fleet-world.ts';

vi.setConfig({ ...patience, testTimeout: 180_000 });
let close: () => Promise<void>;
afterEach(() => close());
const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

test('a fresh session that is full at once is futile and not tried again; three such pause all, over a restart too', async () => {
  const world = await makeAdoptWorld({ script: 'grower', set: { start: 70_000, step: 1000 }, projects: ['shop'] });
  close = world.close;
  world.project('shop', { context_threshold: 60_000 });
  await world.run('watchdog', 'start');
  const pane = await world.openClaude('shop');
  expect((await world.adopt(pane, '--yes')).code).toBe(0);
  const story = () => `${JSON.stringify(world.health())}\n${world.log()}\n${world.screen(pane)}`;
  const ended = (count: number) =>
    until(() => world.records().length === count && world.health().panes[0]?.handoff === null, story);

  await world.say(pane, 'work on part 1', /● .*\n/);
  await ended(1);
  const [first] = world.records();
  expect(first).toMatchObject({ reason: 'context threshold', outcome: 'futile', session_after: expect.any(String) });
  expect(first!.why).toMatch(/begins with 7\d{4} tokens, at a threshold of 60000/);
  const alerts = () => readFileSync(world.at('state', 'watchdog', 'alerts.ndjson'), 'utf8');
  expect(alerts()).toContain('futile');
  // It works on, over the threshold, and is left alone.
  await world.say(pane, 'work on part 2', /part 2[^●]*● .*\n/);
  await later(4000);
  expect(world.records()).toHaveLength(1);

  // A person may ask all the same.
  for (const count of [2, 3]) {
    expect((await world.handoff(pane)).code).toBe(0);
    await ended(count);
  }
  expect(world.records().map(({ outcome }) => outcome)).toEqual(['futile', 'futile', 'futile']);
  await until(() => world.health().paused_until !== null, story);
  const until30 = Date.parse(world.health().paused_until!) - Date.parse(world.records()[2]!.ended_at);
  expect(until30 / 60_000).toBeCloseTo(30, 0);

  const { paused_until } = world.health();
  await world.run('watchdog', 'stop');
  await world.run('watchdog', 'start');
  await until(() => existsSync(world.at('state', 'watchdog', 'status.json')), world.log);
  await until(() => world.health().panes[0]?.session_id != null, story);
  expect(world.health().paused_until).toBe(paused_until);
  // A session that nobody has tried yet, over the threshold: it waits for the end of the pause.
  world.tmux('send-keys', '-t', pane, '-l', '/clear');
  await world.shows(pane, /\/clear/);
  world.tmux('send-keys', '-t', pane, 'Enter');
  await until(() => world.health().panes[0]?.session_id !== world.records()[2]!.session_after, story);
  await world.say(pane, 'work on part 3', /part 3[^●]*● .*\n/);
  await until(() => (world.health().panes[0]?.tokens ?? 0) >= 60_000, story);
  await later(4000);
  expect(world.records()).toHaveLength(3);
  expect(world.health().panes[0]).toMatchObject({ handoff: null });
});

// Half a minute: in `npm run test:full`.
if (isFull)
  test('at max_cost_usd it is not handed off: a person is asked, and its session and work stay as they are', async () => {
    const fleet = await makeFleet(['g1'], { growMs: 600, config: { max_cost_usd: 0.001 } });
    const engine = fleet.run();
    close = async () => {
      await fleet.baton('cancel', fleet.at('fleet', 'ws'));
      await engine.ended;
      await fleet.end();
    };
    await until(() => fleet.status()?.agents[0]?.status === 'parked', fleet.log);
    const [agent] = fleet.status()!.agents;
    expect(agent!.claude!.parked).toEqual({
      reason: expect.stringMatching(/^it has cost [\d.]+ of max_cost_usd 0\.001$/),
      until: null,
    });
    await until(() => fleet.watchdog()?.panes[0]?.paused != null, fleet.log);
    expect(fleet.watchdog()!.panes[0]).toMatchObject({
      paused: expect.stringContaining('max_cost_usd 0.001'),
      session_id: agent!.claude!.session_id,
      handoff: null,
    });
    expect(fleet.read('state', 'watchdog', 'alerts.ndjson')).toContain('is not handed off: it has cost');
    // Its turn went to its own end, and nothing was typed after it.
    const prompts = fleet.practice.requests().filter(({ kind }) => kind === 'prompt');
    expect(prompts.map(({ rule }) => rule)).toEqual(['grows']);
    expect([fleet.records(), fleet.git('log', '--format=%s')]).toEqual([[], 'Begin']);
  });
