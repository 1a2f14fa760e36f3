// The command line from outside: real processes, real tmux, one outcome of an execution after the other.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Ended, makeCliWorld, patience, until, writes } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(world.end);

const ESCAPES = "printf '\\033[31mred\\033[0m \\033]0;title\\007and\\033[2J plain\\n'";
const tree = (text: string) => `mkdir -p "$BATON_OUTPUT_OUT" && echo ${text} > "$BATON_OUTPUT_OUT/page.txt"`;
const ended: Record<string, Ended> = {};

// All runs at once: most of their time is waiting.
beforeAll(async () => {
  const { request, run } = world;
  const good = [
    { name: 'first', script: `${ESCAPES}; ${writes}` },
    { name: 'second', script: writes, needs: ['first'] },
  ];
  const half = [
    { name: 'kept', script: writes },
    { name: 'lost', script: `${ESCAPES} >&2; exit 3` },
    { name: 'unmet', script: writes, needs: ['lost'] },
  ];
  const clash = [
    { name: 'left', script: tree('left'), outputs: { out: 'outputs/left/site' } },
    { name: 'right', script: tree('right'), outputs: { out: 'outputs/right/site' } },
  ];
  const lateOptions = { execution_options: { max_retries: 0, total_timeout: 1 } };
  const runs = {
    good: run('run', '--request', request('good', good)),
    half: run('run', request('half', half)),
    clash: run('run', request('clash', clash), '--json', '--output', world.at('copy.json')),
    none: run('run', request('none', [{ name: 'broken', script: 'exit 9' }]), '--quiet'),
    late: run('run', request('late', [{ name: 'sleeper', script: 'sleep 20' }], lateOptions)),
  };
  await Promise.all(Object.entries(runs).map(async ([id, running]) => (ended[id] = await running)));
});

test('a run that is piped tells plain lines, names the report and ends with 0', () => {
  const { code, stdout, stderr } = ended.good!;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('\u001b');
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d baton: execution good started: 2 agents$/);
  expect(lines.findIndex(line => line.endsWith('second: done'))).toBeGreaterThan(
    lines.findIndex(line => line.endsWith('first: done')),
  );
  expect(lines.at(-2)).toMatch(/^success: good, 2 done, 0:\d\d, 2 paths merged$/);
  expect(lines.at(-1)).toBe(`report: ${world.at('good', 'ws', 'execution_report.json')}`);
});

test('with --json, stdout is the report and nothing else, and --output holds the same', () => {
  const report = JSON.parse(ended.clash!.stdout);
  expect(report).toEqual(world.report('clash'));
  expect(JSON.parse(readFileSync(world.at('copy.json'), 'utf8'))).toEqual(report);
  expect(ended.clash!.stderr).toContain('execution clash started');
});

test('some agents failed: 3, with the reason, the log and the next step', () => {
  const { code, stdout } = ended.half!;
  expect(code).toBe(3);
  expect(stdout).toContain('partial success: half, 1 failed, 1 done, 1 skipped');
  expect(stdout).toMatch(/✖ lost failed: exit code 3/);
  expect(stdout).toContain('- unmet skipped: it depends on "lost"');
  expect(stdout).toContain('next: baton retry half lost');
});

test('all agents failed: 4; --quiet leaves the closing lines', () => {
  const { code, stdout } = ended.none!;
  expect(code).toBe(4);
  expect(stdout).toMatch(/^failure: none, 1 failed/);
});

test('the whole execution out of time: 124', () => {
  expect(ended.late!.code).toBe(124);
  expect(world.report('late').status).toBe('timeout');
});

test('logs, list and status say the same, by id, by its beginning and by the path of the workspace', async () => {
  const [list, byId, byStart, byPath, log, errors, asJson] = await Promise.all([
    world.run('list'),
    world.run('status', 'half'),
    world.run('status', 'hal'),
    world.run('status', world.at('half', 'ws')),
    world.run('logs', 'first'),
    world.run('logs', 'half/lost', '--stderr', '-f'),
    world.run('status', 'half', '--json'),
  ]);
  expect(list.stdout).toMatch(/^half +partial_success .* 1 failed, 1 done, 1 skipped /m);
  expect(byId.stdout).toContain('✖ lost');
  expect(byStart).toEqual(byId);
  expect(byPath).toEqual(byId);
  expect(log).toEqual({ code: 0, stdout: 'red and plain\n', stderr: '' });
  expect(errors).toEqual({ code: 0, stdout: 'red and plain\n', stderr: '' });
  expect(JSON.parse(asJson.stdout)).toMatchObject({ execution_id: 'half', status: 'partial_success' });
});

test('a conflict ends with 5, is shown side by side, and is finished by --take with 0', async () => {
  expect(ended.clash!.code).toBe(5);
  expect(existsSync(world.at('clash', 'ws', 'merged'))).toBe(false);
  const shown = await world.run('conflicts', 'clash');
  expect(shown.stdout).toMatch(/^left +! right$/m);
  const { conflicts } = JSON.parse((await world.run('conflicts', 'clash', '--json')).stdout);
  const [{ id }] = conflicts;
  const wrong = await world.run('merge', 'clash', '--take', `${id}=lfet`);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "left"?') });
  const taken = await world.run('merge', 'clash', '--take', `${id}=right`);
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('1 conflict resolved') });
  expect(readFileSync(world.at('clash', 'ws', 'merged', 'site', 'page.txt'), 'utf8')).toBe('right\n');
  const again = await world.run('merge', 'clash', '--take', `${id}=right`);
  expect(again).toMatchObject({ code: 6, stderr: expect.stringContaining('no conflicts to decide') });
});

test('a finished workspace is refused with 6, --again runs it and keeps the old run', async () => {
  const file = world.at('good', 'request.json');
  const old = world.report('good');
  expect(await world.run('run', file)).toMatchObject({ code: 6, stderr: expect.stringContaining('--again') });
  expect(world.report('good')).toEqual(old);
  expect((await world.run('run', file, '--again', '-q')).code).toBe(0);
  const kept = readFileSync(world.at('good', 'ws', 'runs', '1', 'execution_report.json'), 'utf8');
  expect(JSON.parse(kept)).toEqual(old);
  expect(world.report('good').start_timestamp).not.toBe(old.start_timestamp);
});

test('retry runs the agent anew, and the log of the earlier attempt can still be read', async () => {
  const script = world.at('half', 'agents', 'lost', 'work.sh');
  writeFileSync(script, `echo better; ${writes}`);
  expect((await world.run('retry', 'half', 'lost')).code).toBe(0);
  const [before, now] = await Promise.all([
    world.run('logs', 'half/lost', '--attempt', '1', '--stderr'),
    world.run('logs', 'half/lost'),
  ]);
  expect([before.stdout, now.stdout]).toEqual(['red and plain\n', 'better\n']);
});

test('rollback puts the workspace back as it was', async () => {
  const ws = world.at('back', 'ws');
  mkdirSync(path.join(ws, 'outputs'), { recursive: true });
  writeFileSync(path.join(ws, 'outputs', 'changer.txt'), 'before');
  const file = world.request('back', [{ name: 'changer', script: writes }]);
  expect((await world.run('run', file)).code).toBe(0);
  expect(readFileSync(path.join(ws, 'outputs', 'changer.txt'), 'utf8')).toBe('by changer\n');
  expect(await world.run('rollback', 'back')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 path ') });
  expect(readFileSync(path.join(ws, 'outputs', 'changer.txt'), 'utf8')).toBe('before');
});

test('an invalid request ends with 2, tells every problem, and nothing is written', async () => {
  const wrong = [
    { name: 'one', script: writes, needs: ['nobody'] },
    { name: 'two', script: writes, outputs: { out: '../../outside.txt' } },
  ];
  const file = world.request('wrong', wrong, { exection_options: {} });
  const before = readdirSync(world.folder, { recursive: true }).length;
  const { code, stdout, stderr } = await world.run('run', file);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const part of ['3 problems', 'agents[0].dependencies[0]', 'agents[1].task.outputs.out', '"execution_options"'])
    expect(stderr).toContain(part);
  expect(readdirSync(world.folder, { recursive: true }).length).toBe(before);
  const checked = await world.run('validate', file, '--json');
  expect(checked.code).toBe(2);
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false, problems: [{}, {}, {}] });
});

test('without tmux (69, the line to run) or room for a socket (2) nothing is written', async () => {
  const bare = world.at('bare');
  mkdirSync(bare);
  symlinkSync('/bin/sh', path.join(bare, 'git'));
  const file = world.request('bareless', [{ name: 'never', script: writes }]);
  const { code, stderr } = await world.start(['run', file], { PATH: bare }).ended;
  expect(code).toBe(69);
  expect(stderr).toMatch(/tmux is not installed\n +cure: .*install.* tmux\n/);
  const long = await world.start(['run', file], { BATON_RUNTIME_DIR: world.at('x'.repeat(90)) }).ended;
  expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining('too long for a socket') });
  expect(existsSync(world.at('bareless', 'ws'))).toBe(false);
});

test('an interrupted run is cancelled: 130, with its report; a second engine is refused with 6 meanwhile', async () => {
  const file = world.request('stopped', [{ name: 'patient', script: 'echo here; sleep 60' }]);
  const { child, said, ended } = world.start(['run', file]);
  await until(() => said.stdout.includes('patient: started'), 'the agent starts');
  const refused = await world.run('run', file);
  expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('held by process') });
  expect(await world.run('pause', 'stopped')).toMatchObject({ code: 0 });
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stdout: expect.stringContaining('cancelled: stopped') });
  expect(world.report('stopped').status).toBe('cancelled');
  expect(await world.run('pause', 'stopped')).toMatchObject({ code: 6, stderr: expect.stringContaining('finished') });
});

test('cancel from another process ends the run with 130 and itself with 0', async () => {
  const file = world.request('ended', [{ name: 'dweller', script: 'sleep 60' }]);
  const { said, ended } = world.start(['run', file, '--json']);
  await until(() => said.stderr.includes('dweller: started'), 'the agent starts');
  expect((await world.run('cancel', 'ended')).code).toBe(0);
  const { code, stdout } = await ended;
  expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 130, status: 'cancelled' });
});

test.each([
  [['runn'], 'did you mean "run"?'],
  [['run', '--requst', 'x'], 'did you mean "--request"?'],
  [['status', 'nobody'], 'no execution is called "nobody"'],
  [['run', 'nowhere.json'], 'does not exist'],
  [['schema', 'reqest'], 'did you mean "request"?'],
])('baton %j ends with 2 and says: %s', async (args, words) => {
  const { code, stdout, stderr } = await world.run(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(words);
});
