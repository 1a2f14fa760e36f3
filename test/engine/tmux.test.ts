// What the agents' tmux looks like from outside, and what happens when it dies.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { claimNames } from '../../src/engine/claim-names.ts';
import { runRequest } from '../../src/engine/run-execution.ts';
import { tmuxSocket } from '../../src/tmux/runtime.ts';
import { makeFolder, makeWorld, type World, waitFor, writeOut } from './engine-world.ts';
import { ask } from './own-server.ts';

const run = (world: World) => runRequest({ file: world.file }, { allowRoots: [] });
const tmux = (...args: string[]) => ask(tmuxSocket(), args);
const started = (world: World, mark: string) =>
  waitFor(() => existsSync(path.join(world.workspace, `.baton/marks/${mark}.started`)));
const patient = `until [ -e "$BATON_WORKSPACE/go" ]; do sleep 0.02; done; ${writeOut}`;
const open = (world: World) => writeFileSync(path.join(world.workspace, 'go'), '');

test('each agent has a session of 200x50 with the name of the protocol, tagged so that anybody finds it again', async () => {
  const world = makeWorld([{ name: 'code-generator', script: patient }]);
  const running = run(world);
  await started(world, 'code-generator.1');
  const format = '#{session_name} #{window_width}x#{window_height} #{@baton_tags}';
  const line = await waitFor(() => tmux('list-panes', '-a', '-F', format)?.match(/.* code-generator 1 .*$/)?.[0]);
  expect(line).toMatch(/^code-generator-\d{8}-\d{4} 200x50 code-generator 1 t-bw-/);
  expect(statSync(tmuxSocket()).mode & 0o077).toBe(0);
  expect(Buffer.byteLength(tmuxSocket())).toBeLessThan(100);
  open(world);
  const { report } = await running;
  expect(statSync(path.join(world.workspace, `tmux/${report.agents[0]!.tmux_session}.log`)).mode & 0o777).toBe(0o600);
  expect(tmux('list-sessions')).toBe('');
});

test('a small client, read-only or not, inside another tmux, never shrinks an agent', async () => {
  const world = makeWorld([{ name: 'wide', script: patient }]);
  const running = run(world);
  await started(world, 'wide.1');
  const session = await waitFor(() => tmux('list-sessions', '-F', '#{session_name}'));
  const other = path.join(world.folder, 'user.sock');
  for (const flags of [[], ['-r']]) {
    const attach = ['env', '-u', 'TMUX', 'tmux', '-S', tmuxSocket(), 'attach-session', ...flags, '-t', `=${session}`];
    execFileSync('tmux', ['-S', other, '-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', ...attach]);
    try {
      const seen = await waitFor(() =>
        tmux('list-clients', '-F', '#{client_width}x#{client_height} #{client_readonly}'),
      );
      expect(seen).toBe(`80x24 ${flags.length}`);
      expect(tmux('list-panes', '-a', '-F', '#{pane_width}x#{pane_height}')).toBe('200x50');
    } finally {
      execFileSync('tmux', ['-S', other, 'kill-server']);
    }
    await waitFor(() => tmux('list-clients') === '');
  }
  open(world);
  expect((await running).report.status).toBe('success');
});

test('the server starts with a clean environment, and agents see nothing of it or of the caller', async () => {
  process.env.OF_THE_CALLER = 'x';
  process.env.TMUX = '/tmp/nobody,1,0';
  const world = makeWorld([{ name: 'look', script: 'env > "$BATON_OUTPUT_OUT"' }]);
  try {
    await run(world);
    expect(tmux('show-environment', '-g')).not.toMatch(/OF_THE_CALLER|BATON_|^TMUX=\/tmp\/nobody/m);
    expect(world.read('outputs/look.txt')).not.toMatch(/^(OF_THE_CALLER|TMUX|TMUX_PANE)=/m);
  } finally {
    delete process.env.OF_THE_CALLER;
    delete process.env.TMUX;
  }
});

test('killed mid-run, the tmux server costs each running agent an attempt, not the engine its run', async () => {
  const work = `[ "$BATON_ATTEMPT" = 1 ] && { trap "" HUP; sleep 300; }; ${writeOut}`;
  const world = makeWorld([
    { name: 'one', script: work },
    { name: 'two', script: work },
    { name: 'after', script: writeOut, needs: ['one', 'two'] },
  ]);
  const running = run(world);
  await Promise.all([started(world, 'one.1'), started(world, 'two.1')]);
  process.kill(Number(tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
  const { report } = await running;
  expect(report.status).toBe('success');
  for (const name of ['one', 'two']) {
    const { attempts } = report.agents.find(agent => agent.agent_name === name)!;
    expect(attempts.map(attempt => [attempt.status, attempt.exit_code])).toEqual([
      ['failure', null],
      ['success', 0],
    ]);
    expect(attempts[0]!.reason).toContain('vanished without an exit code');
  }
  expect(report.agents[2]!.attempts).toHaveLength(1);
});

test('a session that somebody kills is a failed attempt too, noticed even when it was the last one', async () => {
  const world = makeWorld([{ name: 'lone', script: `[ "$BATON_ATTEMPT" = 1 ] && sleep 300; ${writeOut}` }]);
  const running = run(world);
  await started(world, 'lone.1');
  tmux('kill-session', '-t', await waitFor(() => tmux('list-sessions', '-F', '#{session_name}')));
  const { report } = await running;
  expect(report.agents[0]!.attempts.map(attempt => attempt.status)).toEqual(['failure', 'success']);
  expect(report.warnings).toEqual([]);
});

test('agents of the same name in executions that start together get sessions of their own', async () => {
  const worlds = [1, 2, 3].map(() =>
    makeWorld([{ name: 'twin', script: patient }], { execution_options: { max_retries: 0 } }),
  );
  const running = worlds.map(run);
  await Promise.all(worlds.map(world => started(world, 'twin.1')));
  const names = tmux('list-sessions', '-F', '#{session_name}')!.split('\n');
  for (const world of worlds) open(world);
  const reports = (await Promise.all(running)).map(({ report }) => report);
  expect(reports.map(report => report.status)).toEqual(['success', 'success', 'success']);
  expect(new Set(names).size).toBe(3);
  expect(names.filter(name => /^twin-\d{8}-\d{4}(-[23])?$/.test(name))).toHaveLength(3);
});

test('all sessions have ended before the report is written', async () => {
  const world = makeWorld([
    { name: 'a', script: writeOut },
    { name: 'b', script: 'sleep 300', timeout: 0.4 },
  ]);
  const looks: (string | null)[] = [];
  const onEvent = (event: { type: string }) => {
    if (event.type === 'execution_ended') looks.push(tmux('list-sessions'));
  };
  await runRequest({ file: world.file }, { allowRoots: [], onEvent });
  expect(looks).toEqual(['']);
});

test('a name is never given twice, neither while it is claimed nor while its session stands', async () => {
  const at = '2025-10-30T14:30:00.000Z';
  const sessions = new Set(['a-20251030-1430-2']);
  const known = { past: new Set<string>(), listSessions: async () => sessions };
  const first = await claimNames(['a', 'a'], at, known);
  expect(first.names).toEqual(['a-20251030-1430', 'a-20251030-1430-3']);
  const second = await claimNames(['a'], at, known);
  expect(second.names).toEqual(['a-20251030-1430-4']);
  first.release();
  second.release();
  const third = await claimNames(['a'], at, { ...known, past: new Set(['a-20251030-1430']) });
  expect(third.names).toEqual(['a-20251030-1430-3']);
  // Left by an engine that was killed: an old claim holds nothing.
  const claim = path.join(process.env.BATON_RUNTIME_DIR!, 'names', third.names[0]!);
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(claim, longAgo, longAgo);
  const fourth = await claimNames(['a'], at, { ...known, past: new Set(['a-20251030-1430']) });
  expect(fourth.names).toEqual(third.names);
  fourth.release();
});

test('a workspace whose path means something to tmux and the shell works like any other', async () => {
  const odd = path.join(makeFolder(), `a b#(touch x)%H'"$(id)\\;{é`);
  mkdirSync(odd);
  const agents = path.join(odd, 'agent');
  mkdirSync(agents);
  writeFileSync(path.join(agents, 'work.sh'), `echo said; ${writeOut}`);
  writeFileSync(path.join(agents, 'agent.json'), JSON.stringify({ provider: 'command', command: ['sh', 'work.sh'] }));
  const task = { description: 'd', outputs: { out: 'o.txt' } };
  const request = {
    execution_id: 'odd',
    workspace_root: path.join(odd, 'ws'),
    agents: [{ agent_name: 'a', agent_path: agents, task }],
  };
  const { report, workspace } = await runRequest({ value: request, folder: odd }, { allowRoots: [] });
  expect(report.status).toBe('success');
  expect(readFileSync(`${workspace}/tmux/${report.agents[0]!.tmux_session}.log`, 'utf8')).toContain('said');
});

test('several agents may share one folder, each with its own task', async () => {
  const world = makeWorld([{ name: 'a', script: writeOut }]);
  const [agent] = world.request.agents;
  const agents = ['x', 'y'].map(name => ({
    ...agent!,
    agent_name: name,
    task: { ...agent!.task, outputs: { out: `outputs/${name}.txt` } },
  }));
  const { report } = await runRequest({ value: { ...world.request, agents }, folder: '/' }, { allowRoots: [] });
  expect(report.status).toBe('success');
  expect([world.read('merged/x.txt'), world.read('merged/y.txt')]).toEqual(['x\n', 'y\n']);
});

test('text cut short on its way to tmux opens nothing, instead of half a session', async () => {
  const client = spawn('tmux', ['-S', tmuxSocket(), 'source-file', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
  client.stdin.end(
    'if-shell -F 1 {\nnew-session -d -s "half" -- "sleep" "300" ; set-option -t "=half:" @a "1"\nnew-session -d',
  );
  const [code] = await once(client, 'exit');
  expect(code).not.toBe(0);
  expect(tmux('list-sessions')).toBe('');
});
