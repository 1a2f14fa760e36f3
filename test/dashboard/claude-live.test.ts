// Keys pressed in the real dashboard beside a real Claude Code on the practice model, and what the session, the engine
// and the watchdog say of it afterwards.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { JUST_MS } from '../../src/dashboard/model/settle-ui.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import { PracticeScript } from '../../src/protocol/practice.ts';
import { patience, until } from '../cli/cli-world.ts';
import { isFull } from '../test-size.ts';
import { makeDashWorld } from './dash-world.ts';

vi.setConfig(patience);
const claude = fileURLToPath(new URL('../../node_modules/.bin/claude', import.meta.url));
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const run = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'A scripted command' } }] });
const obedient = JSON.parse(readFileSync('templates/practice/agent.json', 'utf8')).rules.find(
  ({ name }: { name: string }) => name === 'contract',
).steps;
const asker = PracticeScript.parse({
  about: 'Asks for three permissions, then waits to be told.',
  context: { start: 20_000, per_turn: 1000, per_step: 100 },
  rules: [
    {
      name: 'ask',
      when: { turn: 1, session: 1 },
      steps: ['one', 'two', 'three'].map(name => run(`sh -c 'echo ${name} > ${name}.txt'`)),
    },
    {
      name: 'talk',
      when: { prompt: '^hello' },
      steps: [{ say: 'Hello, whoever you are. '.repeat(9), stream_ms: 2500 }],
    },
    // Only the session after the handoff does the work.
    {
      name: 'later',
      when: { session: 1, contains: 'looked at your work' },
      steps: [{ say: 'Later.', delay_ms: 2500 }],
    },
    {
      name: 'goes on',
      when: { prompt: '^Read (?<document>/\\S+\\.md) first' },
      steps: [{ tools: [{ name: 'Read', input: { file_path: '{{document}}' } }] }, ...obedient],
    },
  ],
  follow: 'grower',
});

async function begin() {
  const world = makeDashWorld();
  const practice = await startPractice({ script: asker });
  const workspace = world.at('live', 'ws');
  const cwd = path.join(workspace, 'work', 'alpha');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(world.at('agent'));
  writeFileSync(world.at('agent', 'AGENT.md'), 'You write files.');
  writeFileSync(world.at('agent', 'agent.json'), JSON.stringify({ provider: 'claude', claude_path: claude }));
  await seedPracticeHome(world.at('config'), { trusted: [cwd] });
  Object.assign(world.env, practiceEnvironment(practice.url, world.at('config')));
  const task = {
    description: '書く 👩‍👩‍👧 a haiku',
    inputs: {},
    outputs: { poem: 'outputs/poem.md' },
    success_criteria: {},
  };
  const request = {
    execution_id: 'live',
    workspace_root: workspace,
    agents: [{ agent_name: 'alpha', agent_path: world.at('agent'), task, dependencies: [], timeout: 95 }],
    merge_strategy: { type: 'file_merge' },
    execution_options: { max_retries: 0 },
  };
  writeFileSync(world.at('request.json'), JSON.stringify(request));
  if (isFull) await world.run('watchdog', 'start');
  const engine = world.start(['run', world.at('request.json'), '--quiet']);
  closers.push(async () => {
    if (engine.child.exitCode === null) await world.run('cancel', 'live', '--quiet');
    await engine.ended;
    if (isFull) await world.run('watchdog', 'stop');
    await practice.close();
    world.end();
  });
  const agent = () => JSON.parse(readFileSync(path.join(workspace, 'status.json'), 'utf8')).agents[0];
  const records = (): HandoffRecord[] => {
    const folder = world.at('state', 'watchdog', 'handoffs');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map(name => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
  };
  const prompts = () => practice.requests().flatMap(({ kind, text }) => (kind === 'prompt' ? [text] : []));
  return { world, engine, cwd, agent, records, prompts };
}

type Live = Awaited<ReturnType<typeof begin>>;

// Through all questions, a hold and a sent prompt, in the zoom of the agent.
async function talk({ world, cwd, agent, prompts }: Live) {
  const wrote = (name: string) => readdirSync(cwd).includes(`${name}.txt`);
  const dash = world.open(110, 34);
  const becomes = (look: () => boolean) => until(look, () => `${JSON.stringify(agent())}\n${dash.screen()}`);
  // A key so soon after a question came is not taken for its answer.
  const read = () => new Promise(resolve => setTimeout(resolve, 2 * JUST_MS));
  dash.start();
  await dash.sees(/alpha +asks/);
  dash.keys('y'); // shows what it asks
  await dash.sees(/│ sh -c 'echo one/);
  await read();
  dash.keys('y');
  await dash.sees(/│ sh -c 'echo two/);
  await read();
  expect([wrote('one'), wrote('two')]).toEqual([true, false]);
  dash.keys('1');
  await dash.sees(/│ sh -c 'echo three/);
  await read();
  expect([wrote('two'), wrote('three')]).toEqual([true, false]);
  dash.keys('n');
  await becomes(() => agent().claude.question === null);
  expect(wrote('three')).toBe(false);

  dash.keys('H');
  await becomes(() => agent().claude.held_by !== null);
  await dash.sees('held by');
  await becomes(() => agent().claude.state === 'idle');
  const told = prompts().length;
  dash.keys('s', 'hello, too early', 'Enter');
  await dash.sees('baton unhold live/alpha');
  expect(prompts()).toHaveLength(told);
  dash.keys('H');
  await becomes(() => agent().claude.held_by === null);

  dash.keys('s', 'hello, agent', 'Enter');
  await dash.sees(/^ submitted to live\/alpha: its hook gave the text back/m);
  await becomes(() => prompts().includes('hello, agent'));
  return { dash, becomes };
}

test('y, a number and n answer what is asked, H holds and releases, s sends with a receipt, x cancels after a yes', async () => {
  const live = await begin();
  const { dash } = await talk(live);
  dash.keys('x');
  await dash.sees('Cancel live: end all its agents? y / n');
  expect(live.agent().status).toBe('running');
  dash.keys('y');
  await live.engine.ended;
  expect(live.agent()).toMatchObject({ status: 'failure', note: expect.stringContaining('cancelled') });
  await dash.sees(/alpha +live +failed/);
  const story = readFileSync(live.world.at('live', 'ws', 'events.ndjson'), 'utf8').split('\n');
  const closed = story.filter(line => line.includes('question_closed'));
  expect(closed.length).toBeGreaterThan(0);
  for (const line of closed) expect(line).toContain('answered');
});

// A whole handoff takes its time; `npm test` sees one in the sample.
if (isFull)
  test('h hands the session over: a document, a fresh session, and the work goes on to its end', async () => {
    const live = await begin();
    const { engine, agent, records } = live;
    const { dash, becomes } = await talk(live);
    const before = agent().claude.session_id;
    dash.keys('h');
    await dash.sees(/begun: handoff h-/);
    await becomes(() => records().length === 1);
    expect(records()[0]).toMatchObject({ reason: 'manual', outcome: 'closed', session_before: before });
    await dash.sees(/handoff \(manual\) closed/); // its story
    const ended = await engine.ended;
    expect(ended.code, ended.stderr).toBe(0);
    await dash.sees(/alpha +live +done/);
  });
