// Process trees are ended whole, and nobody else's process is touched; checks are processes too.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCheck } from '../../src/engine/run-check.ts';
import { runRequest } from '../../src/engine/run-execution.ts';
import { endTree, membersOf } from '../../src/process/end-tree.ts';
import { readProcess, readProcesses } from '../../src/process/process-table.ts';
import { leftBehind, makeFolder, makeWorld, waitFor, writeOut } from './engine-world.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(script: string, mark: string): ChildProcess {
  const [name, value] = mark.split('=') as [string, string];
  const env = { ...process.env, [name]: value };
  const child = spawn('sh', ['-c', script], { env, stdio: 'ignore', detached: true });
  children.push(child);
  return child;
}
const isAlive = (pid: number) => {
  const fact = readProcess(pid);
  return fact !== null && !fact.isZombie;
};

test('a tree is ended with children that ignore TERM and with those that left it for another parent', async () => {
  const mark = `BATON_TASK_FILE=/t/${process.pid}-tree`;
  const child = start('trap "" TERM; (setsid sleep 300 &); (trap "" TERM; sleep 300) & sleep 300', mark);
  const root = { pid: child.pid!, start: readProcess(child.pid!)!.start, mark };
  await waitFor(() => membersOf(root, readProcesses()).length >= 4);
  expect(await endTree(root, 300)).toEqual({ left: 0 });
  expect(membersOf(root, readProcesses())).toEqual([]);
});

test('a process that got the number of one that ended is not touched', async () => {
  const child = start('sleep 300', 'SOMEBODY=else');
  const stranger = { pid: child.pid!, start: '1', mark: 'BATON_TASK_FILE=/t/nobody' };
  expect(await endTree(stranger, 100)).toEqual({ left: 0 });
  expect(isAlive(child.pid!)).toBe(true);
});

test('processes of another attempt with the same command are not touched', async () => {
  const [one, two] = ['one', 'two'].map(name => start('sleep 300', `BATON_TASK_FILE=/t/${process.pid}-${name}`));
  await waitFor(() => isAlive(one!.pid!) && isAlive(two!.pid!));
  await endTree({ pid: -1, start: '', mark: `BATON_TASK_FILE=/t/${process.pid}-one` }, 1000);
  expect(isAlive(one!.pid!)).toBe(false);
  expect(isAlive(two!.pid!)).toBe(true);
});

const place = (folder: string, more = {}) => ({
  agentPath: folder,
  cwd: folder,
  env: { PATH: process.env.PATH!, BATON_TASK_FILE: folder, BATON_WORKSPACE: folder },
  logFile: path.join(folder, 'check.log'),
  redact: (text: string) => text,
  signal: new AbortController().signal,
  ...more,
});

test('a check over its limit is ended with its tree and proves nothing', async () => {
  const folder = makeFolder();
  const check = { command: ['sh', '-c', 'echo 99; (setsid sleep 300 &); sleep 300'], read: 'number' as const };
  const fact = await runCheck(check, place(folder, { limitMs: 300 }));
  expect(fact).toEqual({ value: null, complaint: expect.stringContaining('took longer than') });
  expect(leftBehind(folder)).toEqual([]);
});

test('a child that a check leaves behind is neither waited for nor left', async () => {
  const folder = makeFolder();
  const check = { command: ['sh', '-c', 'sleep 300 & sleep 300 >/dev/null 2>&1 & echo 7'], read: 'number' as const };
  const before = performance.now();
  expect(await runCheck(check, place(folder))).toEqual({ value: 7, complaint: null });
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(leftBehind(folder)).toEqual([]);
  expect(readFileSync(path.join(folder, 'check.log'), 'utf8')).toBe('7');
});

test('a check ends nothing of the agent it belongs to: a session that is still talked to stays alive', async () => {
  const folder = makeFolder();
  const agent = start('sleep 300', `BATON_TASK_FILE=${folder}`);
  expect(await runCheck({ command: ['true'], read: 'exit' as const }, place(folder))).toMatchObject({ value: true });
  expect(isAlive(agent.pid!)).toBe(true);
  agent.kill('SIGKILL');
});

test('a check that fails, prints nonsense or does not exist meets no criterion', async () => {
  const folder = makeFolder();
  const tell = async (command: string[], read: 'exit' | 'number' | `json:${string}`) =>
    (await runCheck({ command, read }, place(folder))).value;
  expect(await tell(['false'], 'exit')).toBe(false);
  expect(await tell(['true'], 'exit')).toBe(true);
  expect(await tell(['echo', 'none'], 'number')).toBeNull();
  expect(await tell(['sh', '-c', 'echo 100; exit 1'], 'number')).toBeNull();
  expect(await tell(['echo', '{"a":1}'], 'json:b')).toBeNull();
  expect(await tell(['no-such-program'], 'exit')).toBeNull();
});

test('an agent that ends but leaves a child holding its output is finished at once, the child ended', async () => {
  const world = makeWorld([{ name: 'a', script: `sleep 300 & (setsid sleep 300 &); ${writeOut}` }]);
  const before = performance.now();
  const { report } = await runRequest({ file: world.file }, { allowRoots: [] });
  expect(report.status).toBe('success');
  expect(performance.now() - before).toBeLessThan(8000);
  expect(leftBehind(world.workspace)).toEqual([]);
});

test('an agent whose program or folder is missing fails with the code a shell would give', async () => {
  const options = { execution_options: { max_retries: 0 } };
  const world = makeWorld(
    [
      { name: 'a', script: '', config: { command: ['no-such-program'] } },
      { name: 'b', script: writeOut, config: { cwd: '/no/such/folder' } },
    ],
    options,
  );
  const { report } = await runRequest({ file: world.file }, { allowRoots: [] });
  expect(report.agents.map(agent => agent.exit_code)).toEqual([127, 126]);
  expect(readFileSync(report.agents[0]!.logs!.stderr, 'utf8')).toContain('no-such-program');
  expect(existsSync(path.join(world.workspace, 'work/a'))).toBe(true);
});
