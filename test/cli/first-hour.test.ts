// What somebody meets who has nothing yet: each answer says what to do next.

import { afterAll, expect, test, vi } from 'vitest';
import { makeCliWorld, patience } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(() => world.end());

test.each([
  [['doctor'], 0],
  [['list'], 0],
  [['status'], 2],
  [['report'], 2],
  [['explain', 'execution_request.json'], 2],
])('before the first request, %j leads to `baton new request`', async (argv, code) => {
  const ended = await world.run(...argv);
  expect(ended.code).toBe(code);
  expect(ended.stdout + ended.stderr).toContain('baton new request');
});

test('what leads on works as it stands: new, explain, run, report, cost', async () => {
  const file = world.at('first.json');
  const made = await world.run('new', 'request', file, '--agent', 'a=Do it.', '--provider', 'command', '--id', 'first');
  const next = /next: baton (.+)/.exec(made.stdout)![1]!;
  const then = /then: baton (.+)/.exec(made.stdout)![1]!;
  expect((await world.run(...next.split(' '))).stdout).toContain('wave 1: a');
  expect((await world.run(...then.split(' '), '-q')).code).toBe(0);
  expect((await world.run('report', 'first')).stdout).toContain('# first: success');
  expect((await world.run('cost', 'first')).code).toBe(0);
});
