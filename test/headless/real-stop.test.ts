import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { headlessProgram } from '../../src/headless/headless-program.ts';
import { ChainResult } from '../../src/protocol/chain.ts';
import { echo, makeHeadlessWorld } from './headless-world.ts';

// A start of Claude Code takes half a second, on a busy machine ten times that.
vi.setConfig({ testTimeout: 90_000 });

const wait = (seconds: string) => ({
  name: 'Bash',
  input: { command: `echo nap; sleep ${seconds}`, description: 'wait' },
});

test('an agent that is too busy to hand over is interrupted and asked again', async () => {
  const full = { context: 80_000 };
  const world = await makeHeadlessWorld([
    {
      name: 'handoff',
      when: { session: 1, prompt: 'The context of this session is full' },
      steps: [{ say: '## HANDOFF\nleft: the nap', usage: full }],
    },
    {
      name: 'busy',
      when: { session: 1 },
      steps: [{ tools: [echo('a')], usage: full }, { tools: [wait('41.25')], usage: full }, { say: 'never' }],
    },
    { name: 'two', when: { session: 2 }, steps: [{ say: 'Rested.' }] },
  ]);
  const { result } = await world.run({ arguments: ['--autocompact', '100k'], limits: { handoff_seconds: 1 } });
  expect(result).toMatchObject({ continuations: 1, pre_compacted: true, ended_well: true });
  expect(world.prompts().at(-1)!.text).toContain('left: the nap');
  expect(running('41.25')).toEqual([]);
});

test('spend in flight ends a session that has no budget of its own', async () => {
  const usage = { cache_read_input_tokens: 100_000, output_tokens: 1000 };
  const steps = Array.from({ length: 20 }, (_, n) => ({
    say: `step ${n}`,
    tools: [echo(String(n))],
    usage,
    delay_ms: 200,
  }));
  const world = await makeHeadlessWorld([{ name: 'spender', steps: [...steps, { say: 'never' }] }]);
  const wrapper = path.join(world.folder, 'claude-without-budget');
  const { claude_path } = world.settingsOf();
  const drop =
    'for a; do shift; case $skip$a in --max-budget-usd) skip=1-;; 1-*) skip=;; *) set -- "$@" "$a";; esac; done';
  writeFileSync(wrapper, `#!/bin/sh\nskip=\n${drop}\nexec '${claude_path}' "$@"\n`, { mode: 0o755 });
  const { result } = await world.run({ claude_path: wrapper, limits: { max_chain_cost_usd: 0.1 } });
  expect(result).toMatchObject({ ended_by: 'cost_cap', ended_well: false, continuations: 0 });
  expect(world.raw().some(line => line.subtype === 'error_max_budget_usd')).toBe(false);
  expect(result.cost_usd).toBeGreaterThanOrEqual(0.1);
  expect(result.cost_usd).toBeLessThan(0.25);
});

test.each([
  ['timeout', { max_seconds: 2 }],
  ['stalled', { max_silence_seconds: 1.5 }],
])('a model that hangs ends in %s', async (endedBy, limits) => {
  const world = await makeHeadlessWorld([{ name: 'hang', steps: [{ error: 'hang' }] }]);
  const { result } = await world.run({ limits });
  expect(result).toMatchObject({ ended_by: endedBy, ended_well: false, continuations: 0 });
});

test('the program writes its result and ends with 0 only when it ended well', async () => {
  const world = await makeHeadlessWorld([
    { name: 'bad', when: { session: 2 }, steps: [{ error: 'invalid_request' }] },
    { name: 'good', steps: [{ say: 'Good.' }] },
  ]);
  const good = await program(world).ended;
  expect([good.code, good.stderr]).toEqual([0, '']);
  expect(good.stdout).toContain('● Good.\n── ended: completed');
  expect(resultOf(world)).toMatchObject({ ended_by: 'completed', output_tail: 'Good.' });
  expect((await program(world).ended).code).toBe(4);
  expect(resultOf(world)).toMatchObject({ ended_by: 'api_error', ended_well: false });
});

test('a signal ends the program, Claude Code and its tools, and the result says cancelled', async () => {
  const world = await makeHeadlessWorld([
    { name: 'nap', steps: [{ say: 'I nap.', tools: [wait('43.75')] }, { say: 'never' }] },
  ]);
  const { child, ended } = program(world);
  for (let tries = 0; running('43.75').length === 0 && tries < 100; tries++) await sleep(100);
  expect(running('43.75')).not.toEqual([]);
  child.kill('SIGTERM');
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  expect(running('43.75')).toEqual([]);
  expect(running(world.folder)).toEqual([]);
  expect(stdout).toContain('● I nap.');
  expect(resultOf(world)).toMatchObject({ ended_by: 'cancelled', ended_well: false });
});

test('what an earlier session did is in the result when the next one cannot be started', async () => {
  const world = await makeHeadlessWorld([
    { name: 'one', steps: [{ say: 'First.', tools: [echo('a')] }, { say: 'never' }] },
  ]);
  const once = path.join(world.folder, 'claude-once');
  const { claude_path } = world.settingsOf();
  writeFileSync(once, `#!/bin/sh\nrm '${once}'\nexec '${claude_path}' "$@"\n`, { mode: 0o755 });
  const { result } = await world.run({ claude_path: once, limits: { max_agent_turns: 1 } });
  expect(result).toMatchObject({ ended_by: 'max_turns', ended_well: false, continuations: 0, output_tail: 'First.' });
  expect(result.stopped_because).toMatch(/next session could not be started: .*ENOENT/);
});

test('settings that cannot be used are refused with the field and the cure, and nothing is started', async () => {
  const world = await makeHeadlessWorld([]);
  const wrong = await program(world, { limits: { max_agent_continuations: 7 } }).ended;
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('limits.max_agent_continuations: is over the hard cap of 3');
  const missing = await program(world, { claude_path: '/nowhere/claude' }).ended;
  expect(missing.code).toBe(69);
  expect(missing.stderr).toContain('check that "/nowhere/claude" is the program');
  expect(existsSync(path.join(world.folder, 'result.json'))).toBe(false);
  expect(world.practice.requests()).toEqual([]);
});

type World = Awaited<ReturnType<typeof makeHeadlessWorld>>;

function program(world: World, more: object = {}) {
  const file = path.join(world.folder, 'headless.json');
  writeFileSync(file, JSON.stringify({ ...world.settingsOf(), ...more }));
  const [node, ...argv] = headlessProgram(file);
  const child = spawn(node!, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', text => (said.stderr += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve =>
    child.once('close', code => resolve({ code, ...said })),
  );
  return { child, ended };
}

const resultOf = (world: World) =>
  ChainResult.parse(JSON.parse(readFileSync(path.join(world.folder, 'result.json'), 'utf8')));

// Processes whose command line holds the words.
function running(words: string): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return (
        /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words)
      );
    } catch {
      return false; // it ended while we looked
    }
  });
}
