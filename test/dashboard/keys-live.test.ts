// Keys pressed in the real dashboard against executions of small shell agents that really run, and what they
// changed in the world: files, attempts, archives, merges.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patience, until } from '../cli/cli-world.ts';
import { makeDashWorld } from './dash-world.ts';

vi.setConfig(patience);
let world: ReturnType<typeof makeDashWorld>;
beforeEach(() => {
  world = makeDashWorld();
});
afterEach(() => world.end());

const status = (id: string) => JSON.parse(readFileSync(world.at(id, 'ws', 'status.json'), 'utf8'));
const agentOf = (id: string, name: string) =>
  status(id).agents.find(({ agent_name }: { agent_name: string }) => agent_name === name);
const waitFor = (file: string) => `while [ ! -e "${file}" ]; do sleep 0.1; done`;
const page = (site: string, words: string) =>
  `mkdir -p "$BATON_OUTPUT_OUT/${site}"; echo "${words}" > "$BATON_OUTPUT_OUT/${site}/page.txt"`;

test('m goes from conflict to conflict side by side, each is decided on its own, and the last decision merges', async () => {
  const site = (name: string) => ({
    name,
    outputs: { out: `outputs/${name}/site` },
    script: ['one', 'two', 'three'].map(part => page(part, `${part} of ${name}`)).join('; '),
  });
  const file = world.request('clash', [site('left'), site('right')]);
  expect((await world.run('run', file, '-q')).code).toBe(5);
  const dash = world.open(100, 30);
  dash.start();
  await dash.sees(/left +conflict/);
  await dash.sees('m decide');
  dash.keys('m');
  await dash.sees(/conflicts +clash +1 of 3/);
  await dash.sees(/one of left +! one of right/);
  await dash.sees('1 take left  2 take right  tab next conflict');
  dash.keys('Tab');
  await dash.sees(/conflicts +clash +2 of 3[^!]*(two|three) of left +! /);
  const [, second] = /(one|two|three) of left +! /.exec(dash.screen())!;
  dash.keys('2');
  await dash.sees(new RegExp(`Take the version of right for site/${second}/page.txt\\? y / n`));
  dash.keys('y');
  await dash.sees('take the version of right: done, 2 conflicts to decide');
  await dash.sees(/conflicts +clash +1 of 2/);
  expect(existsSync(world.at('clash', 'ws', 'merged'))).toBe(false);
  const taken = new Map([[second!, 'right']]);
  for (const [key, agent, left] of [
    ['1', 'left', '1 conflict to decide'],
    ['2', 'right', 'success: clash'],
  ] as const) {
    const part = /(one|two|three) of left +! /;
    await until(
      () => part.test(dash.screen()) && !taken.has(part.exec(dash.screen())![1]!),
      () => dash.screen(),
    );
    taken.set(part.exec(dash.screen())![1]!, agent);
    dash.keys(key);
    await dash.sees(`Take the version of ${agent}`);
    dash.keys('y');
    await dash.sees(left);
  }
  await dash.sees('has no conflicts');
  for (const [part, agent] of taken) {
    const merged = readFileSync(world.at('clash', 'ws', 'merged', 'site', part, 'page.txt'), 'utf8');
    expect(merged).toBe(`${part} of ${agent}\n`);
  }
  expect(taken.size).toBe(3);
  dash.keys('q');
  await dash.sees(/left +done/);
});

test('R runs a failed agent again, d shows what it changed, A archives in the project it works in', async () => {
  const go = world.at('go');
  const project = world.at('shop');
  mkdirSync(project);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@localhost');
  expect((await world.run('init', project)).code).toBe(0);
  writeFileSync(world.at('shop', 'code.txt'), 'before\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  const script = `[ -e "${go}" ] || { echo broken >&2; exit 3; }; echo after > code.txt; echo 'What I know.' > docs/HANDOFF.md; echo it > "$BATON_OUTPUT_OUT"`;
  const file = world.request('again', [
    { name: 'mender', script },
    { name: 'other', script: `${waitFor(world.at('end'))}; echo other > "$BATON_OUTPUT_OUT"` },
  ]);
  const config = {
    provider: 'command',
    command: ['sh', world.at('again', 'agents', 'mender', 'work.sh')],
    cwd: project,
  };
  writeFileSync(world.at('again', 'agents', 'mender', 'agent.json'), JSON.stringify(config));
  const engine = world.start(['run', file, '--quiet', '--allow-root', project]);
  const dash = world.open(110, 30);
  dash.start();
  await dash.sees(/mender +failed/);
  writeFileSync(go, '');
  dash.keys('/', 'mender', 'Enter', 'R');
  await dash.sees('Run mender and those that depend on it again? y / n');
  dash.keys('y');
  await dash.sees(/mender +done +#2/);
  expect(agentOf('again', 'mender')).toMatchObject({ status: 'success', attempt: 2 });
  writeFileSync(world.at('end'), '');
  const ended = await engine.ended;
  expect(ended.code, ended.stderr).toBe(0);

  dash.keys('d');
  await dash.sees('+after');
  expect(dash.screen()).toMatch(/-before\n.*\+after/);
  dash.keys('q', 'A');
  await dash.sees('Archive the handoff document of mender and begin a fresh one? y / n');
  dash.keys('y');
  await dash.sees(/archived as HANDOFF-\S+\.md/);
  const [archived] = readdirSync(world.at('shop', 'docs', 'HANDOFF-archive')).filter(name =>
    name.startsWith('HANDOFF-'),
  );
  expect(readFileSync(world.at('shop', 'docs', 'HANDOFF-archive', archived!), 'utf8')).toBe('What I know.\n');
  expect(git('log', '-1', '--format=%s')).toBe(`docs: archive handoff as ${archived}`);
  expect(existsSync(world.at('docs'))).toBe(false); // not where the dashboard was opened
});

test('engine and tmux going away are shown as such, and C goes on with the execution', async () => {
  const script = `${waitFor(world.at('go'))}; echo it > "$BATON_OUTPUT_OUT"`;
  const file = world.request('lost', [{ name: 'worker', script }], { execution_options: { max_retries: 1 } });
  const engine = world.start(['run', file, '--quiet']);
  const dash = world.open(80, 24);
  dash.start();
  await dash.sees(/worker +running/);
  engine.child.kill('SIGKILL');
  execFileSync('tmux', ['-S', world.at('run', 'tmux.sock'), 'kill-server']);
  await dash.sees('tmux is gone');
  await dash.sees(/worker +no engine/);
  await dash.sees('no engine: C resumes');
  expect(dash.screen()).toContain('● 1 needs you');
  dash.keys('C');
  await dash.sees(/worker +running +#2/);
  await until(
    () => !dash.screen().includes('tmux is gone'),
    () => dash.screen(),
  );
  writeFileSync(world.at('go'), '');
  await dash.sees(/worker +done +#2/);
  await dash.sees('nobody needs you');
});
