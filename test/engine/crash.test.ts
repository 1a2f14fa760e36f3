// What a crash can leave at its worst moments, laid out by hand, and what the next engine makes of it.

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resumeExecution, runRequest } from '../../src/engine/run-execution.ts';
import { makeWorld, type World, writeOut } from './engine-world.ts';

const run = (world: World) => runRequest({ file: world.file }, { allowRoots: [] });
const resume = (world: World) => resumeExecution(world.workspace, { allowRoots: [] });
const at = (world: World, name: string) => path.join(world.workspace, name);
const events = (world: World) => readFileSync(at(world, 'events.ndjson'), 'utf8').trimEnd().split('\n');
const keep = (world: World, lines: string[]) => writeFileSync(at(world, 'events.ndjson'), `${lines.join('\n')}\n`);
const counted = (name: string) => `echo x >> "$BATON_WORKSPACE/ran-${name}"; ${writeOut}`;

test('killed before its first event was whole, it can simply be run', async () => {
  for (const left of ['', '{"id":1,"time":"20']) {
    const world = makeWorld([{ name: 'a', script: writeOut }]);
    mkdirSync(at(world, '.baton'));
    writeFileSync(at(world, 'events.ndjson'), left);
    expect((await run(world)).report.status).toBe('success');
  }
});

test('killed between the end of the merge and the report, only the report is written, and the merge stays', async () => {
  const world = makeWorld([{ name: 'a', script: counted('a') }]);
  const { report } = await run(world);
  rmSync(at(world, 'execution_report.json'));
  keep(
    world,
    events(world).filter(line => JSON.parse(line).type !== 'execution_ended'),
  );
  const again = (await resume(world)).report;
  expect({ ...again, end_timestamp: '', duration_seconds: 0 }).toEqual({
    ...report,
    end_timestamp: '',
    duration_seconds: 0,
  });
  expect(world.read('merged/a.txt')).toBe('a\n');
  expect(world.read('ran-a')).toBe('x\n');
  expect(readdirSync(world.workspace).filter(name => /\.1/.test(name))).toEqual([]);
});

test('killed between the last event and the report file, the very same report is written', async () => {
  const world = makeWorld([{ name: 'a', script: counted('a') }]);
  const { report } = await run(world);
  rmSync(at(world, 'execution_report.json'));
  expect((await resume(world)).report).toEqual(report);
});

test('killed in the middle of a line, that line never happened', async () => {
  const world = makeWorld([{ name: 'a', script: counted('a') }]);
  await run(world);
  rmSync(at(world, 'execution_report.json'));
  keep(
    world,
    events(world).filter(line => JSON.parse(line).type !== 'execution_ended'),
  );
  appendFileSync(at(world, 'events.ndjson'), '{"id":99,"time":"2026-');
  expect((await resume(world)).report.status).toBe('success');
  const ids = events(world).map(line => JSON.parse(line).id);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
});

test('killed right after a retry was asked for, the next engine does the retry and keeps the earlier report', async () => {
  const world = makeWorld([{ name: 'a', script: counted('a') }]);
  await run(world);
  const id = events(world).length + 1;
  const wish = { id, time: new Date().toISOString(), type: 'retry_requested', agent: 'a', data: { agents: ['a'] } };
  appendFileSync(at(world, 'events.ndjson'), `${JSON.stringify(wish)}\n`);
  expect((await resume(world)).report.agents[0]!.attempts).toHaveLength(2);
  expect(world.read('ran-a')).toBe('x\nx\n');
  expect(existsSync(at(world, 'execution_report.1.json'))).toBe(true);
  expect(existsSync(at(world, 'merged.1/a.txt'))).toBe(true);
});

test('an engine whose disk takes no more events ends with a word; with room again the run is finished, nothing twice', async () => {
  const blocks = 40;
  const world = makeWorld([{ name: 'a', script: counted('a') }], { execution_options: { checkpoint_enabled: false } });
  const request = JSON.parse(readFileSync(world.file, 'utf8'));
  request.agents[0].task.description = 'd'.repeat(blocks * 512 - 2100);
  writeFileSync(world.file, JSON.stringify(request));
  // A limit on file size stands for the full disk: what is written over it fails in the same way.
  const engine = path.join(import.meta.dirname, 'run-engine.ts');
  const script = `ulimit -f ${blocks}; exec "$0" "$@"`;
  const limited = spawnSync('sh', ['-c', script, process.execPath, engine, 'run', world.file], { encoding: 'utf8' });
  expect(limited.status).toBe(1);
  expect(limited.stderr).toContain('EFBIG');
  expect(world.read('ran-a')).toBe('x\n');
  expect(world.read('events.ndjson').endsWith('\n')).toBe(true);
  const { report } = await resume(world);
  expect(report.status).toBe('success');
  expect(world.read('ran-a')).toBe('x\n');
});

test('an event log that somebody changed is refused with its line', async () => {
  const world = makeWorld([{ name: 'a', script: writeOut }]);
  await run(world);
  rmSync(at(world, 'execution_report.json'));
  keep(
    world,
    events(world).map((line, index) => (index === 2 ? '{"nonsense":true}' : line)),
  );
  await expect(resume(world)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('line 3') });
});
