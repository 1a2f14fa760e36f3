// A Baton process died while it typed: its own text in the box stops no handoff, a person's draft still does.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readScreen } from '../../src/screen/read-screen.ts';
import { ensureRuntimeFolder } from '../../src/tmux/runtime.ts';
import { makeCycleWorld, until } from './cycle-world.ts';

type World = Awaited<ReturnType<typeof makeCycleWorld>>;
const LIMIT = { timeout: 90_000 };
const LONG = Array.from({ length: 12 }, (_, at) => `line ${at} of a prompt that nobody sent`).join('\n');

async function dieTyping({ door: { identity } }: World, text: string): Promise<void> {
  const { socket, pane, pid } = identity;
  const words = [socket, pane, String(pid), ensureRuntimeFolder(), text];
  const dead = spawn(process.execPath, [path.resolve('test/claude/half-typed.ts'), ...words]);
  await new Promise(resolve => dead.once('exit', resolve));
}

const draftOf = async ({ door }: World) => {
  const view = (await door.look())!;
  return readScreen(view.text, view).draft;
};

async function worked(): Promise<World> {
  const world = await makeCycleWorld();
  await world.prompt('work');
  await until(() => !world.ear.isTurnOpen());
  return world;
}

test.each([
  { what: 'a long prompt', text: LONG },
  { what: 'a short one', text: 'go on with\nthe task' },
  { what: '/exit', text: '/exit' },
])('$what that a dead process left typed is wiped, and the handoff ends as closed', LIMIT, async ({ text }) => {
  const world = await worked();
  await dieTyping(world, text);
  await expect.poll(() => draftOf(world)).not.toBeNull();
  void world.watch().handoffNow('manual');
  await until(() => world.records().length === 1, 45_000, `a record: ${JSON.stringify(world.said)}`);
  expect(world.records()[0]!.outcome).toBe('closed');
  const sent = world.practice.requests().filter(({ kind, text: prompt }) => kind === 'prompt' && prompt.includes(text));
  expect(sent).toEqual([]);
});

test(
  "a person's words before or behind it make it a draft of theirs: nothing is wiped, typed or sent",
  LIMIT,
  async () => {
    const world = await worked();
    await dieTyping(world, 'go on with the task');
    await expect.poll(() => draftOf(world)).toBe('go on with the task');
    world.keys('-l', ' tomorrow');
    await expect.poll(() => draftOf(world)).toBe('go on with the task tomorrow');
    void world.watch().handoffNow('manual');
    await until(() => world.status()?.handoff?.state === 'quiet');
    await new Promise(resolve => setTimeout(resolve, 4000));
    expect(await draftOf(world)).toBe('go on with the task tomorrow');
    world.keys('C-u');
    await until(() => world.records().length === 1, 45_000, `a record: ${JSON.stringify(world.said)}`);
    expect(world.records()[0]!.outcome).toBe('closed');
  },
);
