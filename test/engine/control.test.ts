// What a person can ask of a running engine: over its socket, or by becoming the engine of a finished run.

import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openControlSocket, sendCommand } from '../../src/engine/control-socket.ts';
import { readStatus } from '../../src/engine/read-execution.ts';
import { resumeExecution, runRequest } from '../../src/engine/run-execution.ts';
import { makeWorld, type World, waitFor, writeOut } from './engine-world.ts';

const run = (world: World) => runRequest({ file: world.file }, { allowRoots: [] });
const isThere = (world: World, name: string) => existsSync(path.join(world.workspace, name));
const until = (world: World, name: string) => waitFor(() => isThere(world, name));
// An agent that ends when the test makes a file.
const patient = (gate: string) => `until [ -e "$BATON_WORKSPACE/${gate}" ]; do sleep 0.02; done; ${writeOut}`;
const open = (world: World, gate: string) => writeFileSync(path.join(world.workspace, gate), '');
const statusOf = async (world: World, agent: string) =>
  (await readStatus(world.workspace))?.agents.find(line => line.agent_name === agent)?.status;

test('paused, running agents go on but no new one starts; unpaused, it goes on to its end', async () => {
  const world = makeWorld([
    { name: 'first', script: patient('go') },
    { name: 'second', script: writeOut, needs: ['first'] },
  ]);
  const running = run(world);
  await until(world, 'status.json');
  await waitFor(() => isThere(world, '.baton/marks/first.1.started'));
  expect(await sendCommand(world.workspace, { do: 'pause' })).toMatchObject({ ok: true });
  open(world, 'go');
  await waitFor(() => isThere(world, 'outputs/first.txt'));
  await new Promise(resolve => setTimeout(resolve, 700));
  expect(await statusOf(world, 'first')).toBe('success');
  expect(await statusOf(world, 'second')).toBe('pending');
  expect((await readStatus(world.workspace))?.paused).toBe(true);
  expect(await sendCommand(world.workspace, { do: 'unpause' })).toMatchObject({ ok: true });
  expect((await running).report.status).toBe('success');
});

test('cancelled over the socket, agents end as failure (cancelled), the rest is skipped, partial outputs stay', async () => {
  const world = makeWorld([
    { name: 'slow', script: `${writeOut}; ${patient('never')}` },
    { name: 'later', script: writeOut, needs: ['slow'] },
  ]);
  const running = run(world);
  await until(world, 'outputs/slow.txt');
  expect(await sendCommand(world.workspace, { do: 'cancel' })).toMatchObject({ ok: true });
  const { report } = await running;
  expect(report.status).toBe('cancelled');
  expect(report.agents.map(agent => [agent.status, agent.reason])).toEqual([
    ['failure', 'cancelled'],
    ['skipped', 'the execution was cancelled'],
  ]);
  expect(world.read('outputs/slow.txt')).toBe('slow\n');
  expect(report.merge_result.status).toBe('skipped');
  expect(await sendCommand(world.workspace, { do: 'cancel' })).toBeNull();
});

test('an agent that waits for its next attempt when the run is cancelled stays failed, with its attempts', async () => {
  const world = makeWorld([
    { name: 'flaky', script: 'exit 4' },
    { name: 'slow', script: patient('never') },
  ]);
  const running = run(world);
  await waitFor(() => isThere(world, 'events.ndjson') && world.read('events.ndjson').includes('retry_scheduled'));
  await sendCommand(world.workspace, { do: 'cancel' });
  const [flaky] = (await running).report.agents;
  expect(flaky).toMatchObject({ status: 'failure', exit_code: 4 });
  expect(flaky!.reason).toMatch(/^exit code 4.*; not tried again: the execution was cancelled$/);
});

test('retried while others run, a failed agent and its skipped dependents run again', async () => {
  const world = makeWorld(
    [
      { name: 'bad', script: `[ -e "$BATON_WORKSPACE/mended" ] || exit 3; ${writeOut}` },
      { name: 'child', script: writeOut, needs: ['bad'] },
      { name: 'slow', script: patient('go') },
    ],
    { execution_options: { max_retries: 0 } },
  );
  const running = run(world);
  await waitFor(() => isThere(world, 'events.ndjson') && world.read('events.ndjson').includes('agent_skipped'));
  expect(await sendCommand(world.workspace, { do: 'retry', agent: 'slow' })).toMatchObject({ ok: false });
  expect(await sendCommand(world.workspace, { do: 'retry', agent: 'child' })).toMatchObject({
    ok: false,
    message: 'child depends on bad, which did not succeed; retry that one',
  });
  open(world, 'mended');
  const answer = await sendCommand(world.workspace, { do: 'retry', agent: 'bad' });
  expect(answer).toEqual({ ok: true, message: 'again: bad, child' });
  await until(world, 'outputs/child.txt');
  open(world, 'go');
  const { report } = await running;
  expect(report.status).toBe('success');
  expect(report.agents[0]!.attempts.map(attempt => attempt.status)).toEqual(['failure', 'success']);
});

test('retried after the end, only it and its dependents run again, and the earlier report and merge are kept', async () => {
  const count = (name: string) => `echo x >> "$BATON_WORKSPACE/ran-${name}"`;
  const world = makeWorld(
    [
      { name: 'good', script: `${count('good')}; ${writeOut}` },
      { name: 'bad', script: `[ -e "$BATON_WORKSPACE/mended" ] || exit 3; ${count('bad')}; ${writeOut}` },
      { name: 'child', script: `${count('child')}; ${writeOut}`, needs: ['bad'] },
    ],
    { execution_options: { max_retries: 0 } },
  );
  const before = (await run(world)).report;
  expect(before.status).toBe('partial_success');
  open(world, 'mended');
  const again = () => resumeExecution(world.workspace, { allowRoots: [], first: { do: 'retry', agent: 'bad' } });
  expect((await again()).report.status).toBe('success');
  expect(JSON.parse(world.read('execution_report.1.json'))).toEqual(before);
  expect(isThere(world, 'merged.1/good.txt')).toBe(true);
  expect(isThere(world, 'merged.1/bad.txt')).toBe(false);
  expect(world.read('merged/child.txt')).toBe('child\n');
  expect((await again()).report.status).toBe('success');
  expect(isThere(world, 'execution_report.2.json')).toBe(true);
  expect([world.read('ran-good'), world.read('ran-bad'), world.read('ran-child')]).toEqual(['x\n', 'x\nx\n', 'x\nx\n']);
});

test('a second engine on the same execution is refused and disturbs nothing', async () => {
  const world = makeWorld([{ name: 'slow', script: patient('go') }]);
  const running = run(world);
  await until(world, '.baton/marks/slow.1.started');
  await expect(run(world)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('is held by process'),
  });
  await expect(resumeExecution(world.workspace, { allowRoots: [] })).rejects.toMatchObject({ code: 'refused' });
  open(world, 'go');
  expect((await running).report.status).toBe('success');
  await expect(resumeExecution(world.workspace, { allowRoots: [] })).rejects.toMatchObject({ code: 'refused' });
  await expect(run(world)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('already finished'),
  });
});

test('the socket is for its user alone, and answers nonsense with words', async () => {
  const world = makeWorld([]);
  const socket = await openControlSocket(world.workspace, () => ({ ok: true, message: 'yes' }));
  const folder = process.env.BATON_RUNTIME_DIR!;
  const { readdirSync } = process.getBuiltinModule('node:fs');
  const file = path.join(folder, readdirSync(folder).find(name => name.startsWith('e-'))!);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await sendCommand(world.workspace, { do: 'explode' } as never)).toMatchObject({ ok: false });
  expect(await sendCommand(world.workspace, { do: 'pause' })).toEqual({ ok: true, message: 'yes' });
  socket.close();
  expect(existsSync(file)).toBe(false);
  expect(await sendCommand(world.workspace, { do: 'pause' })).toBeNull();
});
