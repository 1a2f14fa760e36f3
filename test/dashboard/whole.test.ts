// The whole dashboard on a real terminal, against executions that run: what is on the screen is what the state
// says, keys do what their commands do, and the terminal is given back.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cellWidth } from '../../src/text/cell-width.ts';
import { patience, until } from '../cli/cli-world.ts';
import { builtBin, makeDashWorld } from './dash-world.ts';

vi.setConfig(patience);
let world: ReturnType<typeof makeDashWorld>;
beforeEach(() => {
  world = makeDashWorld();
});
afterEach(() => world.end());

const until_ = (file: string) => `while [ ! -e "${file}" ]; do sleep 0.1; done`;
const status = (id: string) => JSON.parse(readFileSync(world.at(id, 'ws', 'status.json'), 'utf8'));

async function running(id: string, count = 3, script?: string) {
  const waits = script ?? `echo "works on it"; ${until_(world.at('go'))}; echo "by $BATON_AGENT" > "$BATON_OUTPUT_OUT"`;
  const agents = Array.from({ length: count }, (_, at) => ({
    name: `agent-${at}`,
    script: waits,
    ...(at === count - 1 && count > 1 ? { needs: ['agent-0'] } : {}),
  }));
  const engine = world.start([
    'run',
    world.request(id, agents, { execution_options: { max_retries: 0, parallel_limit: 8, total_timeout: 90 } }),
    '--quiet',
  ]);
  await until(
    () => existsSync(world.at(id, 'ws', 'status.json')) && status(id).counts.running === Math.max(1, count - 1),
    () => engine.said.stderr,
  );
  return engine;
}

test('it shows at five sizes what the state says, in rows that never wrap, and follows to the end', async () => {
  const engine = await running('exec-one');
  const sizes = [
    [40, 12],
    [80, 24],
    [120, 40],
    [200, 50],
    [300, 80],
  ] as const;
  const dashes = sizes.map(([cols, rows]) => ({ cols, rows, dash: world.open(cols, rows) }));
  for (const { dash } of dashes) dash.start();
  for (const { cols, rows, dash } of dashes) {
    await dash.sees(/agent-0 +running/);
    await dash.sees(/agent-2 +waiting/);
    expect(dash.rows().length).toBeLessThanOrEqual(rows);
    for (const row of dash.rows()) expect(cellWidth(row)).toBeLessThanOrEqual(cols);
    expect(dash.screen()).toContain('2 running');
  }
  writeFileSync(world.at('go'), '');
  const ended = await engine.ended;
  expect(ended.code, ended.stderr).toBe(0);
  for (const { dash } of dashes) {
    await dash.sees(/agent-0 +done/);
    await dash.sees(/agent-2 +done/);
    dash.keys('q');
    await until(() => dash.ask('#{alternate_on}') === '0', 'the terminal back');
  }
});

test('keys pause, filter, zoom, show logs and cancel, and what they say is shown', async () => {
  const engine = await running('exec-two');
  const dash = world.open(100, 30);
  dash.start();
  await dash.sees(/agent-0 +running/);
  dash.keys('p');
  await until(() => status('exec-two').paused, 'a pause');
  await dash.sees('paused');
  dash.keys('p');
  await until(() => !status('exec-two').paused, 'the end of the pause');
  dash.keys('/', 'agent-1', 'Enter');
  await until(
    () => !dash.screen().includes('agent-0'),
    () => dash.screen(),
  );
  dash.keys('l');
  await dash.sees('works on it');
  dash.keys('q', 'Enter');
  await dash.sees('its screen');
  await dash.sees('do agent-1'); // its task
  await dash.sees('attempt 1 started');
  dash.keys('Escape');
  await until(() => !dash.screen().includes('its screen'), 'the list');
  dash.keys('Escape');
  await dash.sees(/agent-0 +running/);
  dash.keys('Tab');
  await dash.sees(/after agent-0/);
  dash.keys('Tab', 'x');
  await dash.sees('Cancel exec-two: end all its agents? y / n');
  dash.keys('n');
  await dash.sees('nothing was done');
  dash.keys('x', 'y');
  await engine.ended;
  await until(() => status('exec-two').status === 'cancelled', 'the cancelling');
  await dash.sees('nobody needs you');
});

test('attach shows the real session, and Ctrl-Q comes back to the same place', async () => {
  const engine = await running('exec-three');
  const dash = world.open(100, 30);
  dash.start();
  await dash.sees(/agent-1 +running/);
  dash.keys('j', 'a');
  await dash.sees('baton · agent-1-');
  dash.keys('C-q');
  await dash.sees(/▶›agent-1/);
  dash.keys('v');
  await dash.sees('baton · agent-1-');
  dash.keys('C-b', 'd');
  await dash.sees(/▶›agent-1/);
  dash.keys('q');
  await until(() => dash.ask('#{alternate_on}') === '0', 'the terminal back');
  expect(dash.screen()).not.toContain('detached');
  writeFileSync(world.at('go'), '');
  await engine.ended;
});

test('killed with -9, the next shell finds the terminal as it was; suspended, it comes back', async () => {
  const engine = await running('exec-four', 1);
  const dash = world.open(80, 24);
  dash.start();
  await dash.sees(/agent-0 +running/);
  const modes = '#{alternate_on} #{mouse_any_flag} #{cursor_flag}';
  expect(dash.ask(modes)).toBe('1 1 0');
  dash.keys('C-z');
  await until(
    () => dash.ask(modes) === '0 0 1',
    () => `modes ${dash.ask(modes)}`,
  );
  await dash.sees(/Stopped/); // only now the shell listens
  dash.keys('fg', 'Enter');
  await dash.sees(/agent-0 +running/);
  await until(
    () => dash.ask(modes) === '1 1 0',
    () => `modes ${dash.ask(modes)}`,
  );
  process.kill(dash.pid(), 'SIGKILL');
  await until(
    () => dash.ask(modes) === '0 0 1',
    () => `modes ${dash.ask(modes)}`,
  );
  // What the shell says meanwhile may still go to the screen that the guard leaves; so the terminal itself is asked.
  const settings = () => spawnSync('stty', ['-F', dash.ask('#{pane_tty}'), '-a'], { encoding: 'utf8' }).stdout;
  await until(() => /(?<!-)\bicanon\b/.test(settings()), settings);
  dash.keys('', 'echo $((6*7))', 'Enter');
  await dash.sees(/^42$/m);
  expect(status('exec-four').status).toBe('running'); // it disturbed nothing
  writeFileSync(world.at('go'), '');
  await engine.ended;
});

test('suspended under npm, or another program in between, it comes back with fg; without a shell it does not freeze', async () => {
  const engine = await running('exec-five', 1);
  const modes = '#{alternate_on} #{mouse_any_flag} #{cursor_flag}';
  const are = (dash: ReturnType<typeof world.open>, wanted: string) =>
    until(
      () => dash.ask(modes) === wanted,
      () => `modes ${dash.ask(modes)}, not ${wanted}, on\n${dash.screen()}`,
    );
  // As npm does it: a program that starts a shell that starts us, all of one job.
  const between = `'${process.execPath}' -e 'require("child_process").spawn("sh",["-c",process.argv[1]],{stdio:"inherit"})'`;
  const job = world.open(80, 24);
  job.keys(`${between} '"${process.execPath}" "${builtBin}"; true'`, 'Enter');
  for (const _ of ['once', 'twice']) {
    await job.sees(/agent-0 +running/);
    await are(job, '1 1 0');
    job.keys('C-z');
    await are(job, '0 0 1');
    await job.sees(/Stopped/);
    job.keys('clear; fg', 'Enter');
  }
  await job.sees(/agent-0 +running/);
  await are(job, '1 1 0');
  const alone = world.open(80, 24);
  alone.keys(`exec '${process.execPath}' '${builtBin}'`, 'Enter');
  await alone.sees(/agent-0 +running/);
  alone.keys('C-z');
  await alone.sees('there is no shell to go back to');
  alone.keys('?');
  await alone.sees(/Stepping in/);
  writeFileSync(world.at('go'), '');
  await engine.ended;
});
