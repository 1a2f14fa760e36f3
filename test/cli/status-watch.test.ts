// `baton status --watch` beside a running engine: told by its files, and by its death.

import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { makeCliWorld, patience, until, writes } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(() => world.end());
const wait = (name: string) => `while [ ! -e "${world.at(name)}" ]; do sleep 0.1; done`;

test('it tells every agent once, then what changes, and ends with the execution', async () => {
  const file = world.request('calm', [{ name: 'one', script: `${wait('go')}; ${writes}` }]);
  const engine = world.start(['run', file, '-q']);
  await until(() => existsSync(world.at('calm', 'ws', 'status.json')), 'a status');
  const watch = world.start(['status', 'calm', '--watch']);
  const told = () => watch.said.stdout;
  await until(() => /one: running$/m.test(told()), told);
  writeFileSync(world.at('go'), '');
  const { code, stdout } = await watch.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/one: done$/m);
  expect(stdout.match(/one: running$/gm)).toHaveLength(1);
  expect(stdout.trimEnd()).toMatch(/calm: success, phase done$/);
  await engine.ended;
});

test('an engine that dies writes nothing any more, and is told all the same', async () => {
  const file = world.request('dies', [{ name: 'one', script: `${wait('never')}; ${writes}` }]);
  const engine = world.start(['run', file, '-q']);
  await until(() => existsSync(world.at('dies', 'ws', 'status.json')), 'a status');
  const watch = world.start(['status', 'dies', '--watch']);
  await until(
    () => /one: running$/m.test(watch.said.stdout),
    () => watch.said.stdout,
  );
  engine.child.kill('SIGKILL');
  const { code, stderr } = await watch.ended;
  expect(code).toBe(4);
  expect(stderr).toContain('the engine of execution dies is gone');
  expect(stderr).toContain('baton resume dies');
});
