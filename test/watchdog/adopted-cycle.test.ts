// The whole cycle in a pane of the user's own tmux, adopted with one command: by hand, by itself, by its own word.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience, until } from '../cli/cli-world.ts';
import { type AdoptWorld, makeAdoptWorld } from './adopt-world.ts';

vi.setConfig(patience);
let world: AdoptWorld;
let git: ReturnType<AdoptWorld['project']>;
let pane: string;

beforeAll(async () => {
  world = await makeAdoptWorld({ script: 'grower', set: { start: 20_000, step: 20_000 }, projects: ['shop'] });
  git = world.project('shop', { context_threshold: 60_000 });
  pane = await world.openClaude('shop');
  await world.run('watchdog', 'start');
});
afterAll(() => world.close());

const ended = (count: number) =>
  until(
    () => world.records().length === count && world.health().panes[0]?.handoff === null,
    () => `${JSON.stringify(world.health())}\n${world.log()}\n${world.screen(pane)}`,
  );

test('adopted with one command and asked by hand, it is handed over: document, commit, /clear, resumed', async () => {
  await world.say(pane, 'work on part 1', /● .*\n/);
  expect((await world.adopt(pane, '--yes')).stdout).toContain('has taken up the hooks');
  const asked = await world.handoff(pane, '--json');
  expect([asked.code, JSON.parse(asked.stdout)]).toEqual([
    0,
    { socket: world.socket, pane, ok: true, message: expect.stringMatching(/^begun: handoff h-/) },
  ]);
  await ended(1);
  const [record] = world.records();
  expect(record).toMatchObject({
    reason: 'manual',
    outcome: 'closed',
    written_by: 'agent',
    commit: { place: 'branch' },
  });
  expect(record!.session_after).not.toBe(record!.session_before);
  expect(git('log', '-1', '--format=%H %s')).toBe(`${record!.commit!.sha} docs: orchestrator handoff checkpoint`);
  expect(git('show', '--format=', '--name-only', 'HEAD')).toBe('docs/HANDOFF.md');
  expect(readFileSync(world.at('shop', 'docs', 'HANDOFF.md'), 'utf8')).toContain(`Handoff-Id: ${record!.id}`);
  await world.shows(pane, /I have read the handoff document and go on\./);
});

test('over the threshold of its baton.json it is handed over by itself', async () => {
  for (let part = 2; part < 6 && world.health().panes[0]?.handoff === null; part += 1) {
    if ((world.health().panes[0]?.tokens ?? 0) >= 60_000) break;
    await world.say(pane, `work on part ${part}`, new RegExp(`part ${part}[^●]*● .*\n`));
  }
  await ended(2);
  expect(world.records()[1]).toMatchObject({ reason: 'context threshold', outcome: 'closed', written_by: 'agent' });
  expect(world.records()[1]!.tokens_before).toBeGreaterThanOrEqual(60_000);
  expect(world.records()[1]!.tokens_after).toBeLessThan(60_000);
});

test('a session asks for its own handoff from inside the pane, and no number of handoffs is too many', async () => {
  const [, pid, session] = world.tmux('display-message', '-p', '-t', pane, 'x #{pid} #{session_id}').split(' ');
  const TMUX = `${world.socket},${pid},${session!.slice(1)}`;
  const own = await world.start(['handoff', 'self'], { TMUX, TMUX_PANE: pane }).ended;
  expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(`${pane}: begun: handoff h-`)]);
  await ended(3);
  expect(world.records()[2]).toMatchObject({ reason: 'manual', outcome: 'closed' });
  expect(world.health().panes[0]).toMatchObject({ session_id: world.records()[2]!.session_after, lacks: [] });
  expect(git('rev-list', '--count', 'HEAD')).toBe('4');
  const outside = await world.start(['handoff', 'self'], { TMUX: '', TMUX_PANE: '' }).ended;
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('not a pane of tmux')]);
});
