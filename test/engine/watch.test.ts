// `baton engine --watch`: each request that appears is run exactly once, whatever happens to the engine.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runRequest } from '../../src/engine/run-execution.ts';
import { watchRequests } from '../../src/engine/watch-requests.ts';
import { makeFolder, waitFor } from './engine-world.ts';

const ENGINE = path.join(import.meta.dirname, 'run-engine.ts');
const children: ChildProcess[] = [];
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const stop of stops.splice(0)) await stop();
});

function watching(folder: string, maxPanes = 16) {
  const stop = new AbortController();
  const said: string[] = [];
  const done = watchRequests(folder, { maxPanes, allowRoots: [], signal: stop.signal, say: line => said.push(line) });
  const end = async () => {
    stop.abort();
    await done;
  };
  stops.push(end);
  return { said, end };
}

// A folder to watch, and one agent that counts how often it ran and holds on until it may end.
function makeInbox(script = 'true') {
  const folder = makeFolder();
  const inbox = path.join(folder, 'workspaces');
  const agent = path.join(folder, 'agent');
  mkdirSync(agent);
  mkdirSync(inbox);
  const body = `echo $BATON_EXECUTION_ID >> ${folder}/ran; ${script}; echo x > "$BATON_OUTPUT_OUT"`;
  writeFileSync(path.join(agent, 'work.sh'), body);
  writeFileSync(path.join(agent, 'agent.json'), JSON.stringify({ provider: 'command', command: ['sh', 'work.sh'] }));
  const request = (id: string, more = {}) => ({
    execution_id: id,
    workspace_root: '.',
    agents: [{ agent_name: 'a', agent_path: agent, task: { description: 'd', outputs: { out: 'outputs/o.txt' } } }],
    execution_options: { max_retries: 0 },
    ...more,
  });
  const put = (id: string, value: unknown) => {
    mkdirSync(path.join(inbox, id), { recursive: true });
    const file = path.join(inbox, id, 'execution_request.json');
    writeFileSync(`${file}.new`, typeof value === 'string' ? value : JSON.stringify(value));
    renameSync(`${file}.new`, file);
  };
  const at = (id: string, name: string) => path.join(inbox, id, name);
  const ran = () =>
    existsSync(`${folder}/ran`) ? readFileSync(`${folder}/ran`, 'utf8').trim().split('\n').sort() : [];
  const isOver = (id: string) => existsSync(at(id, 'execution_report.json'));
  return { folder, inbox, request, put, at, ran, isOver };
}

const quiet = (ms = 900) => new Promise(resolve => setTimeout(resolve, ms));

test('requests that are there and requests that appear are run, each once, over restarts too', async () => {
  const box = makeInbox();
  box.put('one', box.request('one'));
  const first = watching(box.inbox);
  await waitFor(() => box.isOver('one'));
  box.put('two', box.request('two'));
  await waitFor(() => box.isOver('two'));
  await quiet(300);
  await first.end();
  // What ended needs neither its agents nor its inputs any more.
  renameSync(path.join(box.folder, 'agent'), path.join(box.folder, 'gone'));
  const second = watching(box.inbox);
  await quiet();
  await second.end();
  expect(box.ran()).toEqual(['one', 'two']);
  expect(second.said).toEqual([]);
  expect(existsSync(box.at('one', 'execution_request.rejected.json'))).toBe(false);
});

test('a request written bit by bit is taken when it is whole', async () => {
  const box = makeInbox();
  watching(box.inbox);
  const text = JSON.stringify(box.request('slow'));
  mkdirSync(path.join(box.inbox, 'slow'));
  for (let end = 0; end < text.length; end += Math.ceil(text.length / 6)) {
    writeFileSync(box.at('slow', 'execution_request.json'), text.slice(0, end + Math.ceil(text.length / 6)));
    await quiet(end === 0 ? 900 : 60);
  }
  await waitFor(() => box.isOver('slow'));
  expect(existsSync(box.at('slow', 'execution_request.rejected.json'))).toBe(false);
});

test('a refused request is told beside it with its hash, left alone, and tried again when it changed', async () => {
  const box = makeInbox();
  const first = watching(box.inbox);
  box.put('bad', { ...box.request('bad'), agents: [] });
  const rejected = box.at('bad', 'execution_request.rejected.json');
  await waitFor(() => existsSync(rejected));
  const { request_sha256, problems } = JSON.parse(readFileSync(rejected, 'utf8'));
  const { createHash } = process.getBuiltinModule('node:crypto');
  const bytes = readFileSync(box.at('bad', 'execution_request.json'));
  expect(request_sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(problems[0]).toMatchObject({ path: 'agents', message: expect.any(String), cure: expect.any(String) });
  await first.end();
  const second = watching(box.inbox);
  await quiet();
  expect(second.said).toEqual([]);
  box.put('bad', box.request('bad'));
  await waitFor(() => box.isOver('bad') && !existsSync(rejected));
  expect(box.ran()).toEqual(['bad']);
});

test('a request that stays half written is refused, with line and column', async () => {
  const box = makeInbox();
  watching(box.inbox);
  box.put('half', '{"execution_id": "half",');
  const rejected = box.at('half', 'execution_request.rejected.json');
  await waitFor(() => existsSync(rejected));
  expect(readFileSync(rejected, 'utf8')).toMatch(/line 1, column \d+/);
});

test('after kill -9 of the watching engine the next one picks up what was running and runs nothing twice', async () => {
  const box = makeInbox('sleep 1.5');
  const child = spawn(process.execPath, [ENGINE, 'watch', box.inbox, '16'], { stdio: 'ignore' });
  children.push(child);
  box.put('one', box.request('one'));
  box.put('two', box.request('two'));
  await waitFor(() => box.ran().length === 2);
  child.kill('SIGKILL');
  const second = watching(box.inbox);
  await waitFor(() => box.isOver('one') && box.isOver('two'));
  expect(second.said.filter(line => line.endsWith('going on'))).toHaveLength(2);
  const report = JSON.parse(readFileSync(box.at('one', 'execution_report.json'), 'utf8'));
  expect(report.status).toBe('success');
  expect(box.ran()).toEqual(['one', 'two']);
});

test('several executions run at once, and never more panes than the one limit allows', async () => {
  const box = makeInbox(
    `echo $$ > $BATON_WORKSPACE/../../live-$BATON_EXECUTION_ID-$BATON_AGENT; sleep 0.4; rm $BATON_WORKSPACE/../../live-*-$BATON_AGENT 2>/dev/null; true`,
  );
  const { readdirSync } = process.getBuiltinModule('node:fs');
  const agents = (id: string) => {
    const [agent] = box.request(id).agents;
    return ['p', 'q'].map(name => ({
      ...agent!,
      agent_name: `${id}${name}`,
      task: { ...agent!.task, outputs: { out: `outputs/${name}.txt` } },
    }));
  };
  const ids = ['one', 'two', 'three'];
  for (const id of ids) box.put(id, { ...box.request(id), agents: agents(id) });
  watching(box.inbox, 2);
  let most = 0;
  const together = new Set<string>();
  await waitFor(() => {
    const live = readdirSync(box.folder).filter(name => name.startsWith('live-'));
    most = Math.max(most, live.length);
    if (live.length > 1) for (const name of live) together.add(name.split('-')[1]!);
    return ids.every(box.isOver);
  });
  expect(most).toBe(2);
  expect(box.ran()).toHaveLength(6);
});

test('an execution that another engine holds is not refused; when that engine dies, the watching one goes on', async () => {
  const box = makeInbox(`until [ -e "$BATON_WORKSPACE/go" ]; do sleep 0.02; done`);
  box.put('held', box.request('held'));
  const file = box.at('held', 'execution_request.json');
  const child = spawn(process.execPath, [ENGINE, 'run', file], { stdio: 'ignore' });
  children.push(child);
  await waitFor(() => box.ran().length === 1);
  watching(box.inbox);
  await quiet();
  expect(existsSync(box.at('held', 'execution_request.rejected.json'))).toBe(false);
  child.kill('SIGKILL');
  writeFileSync(box.at('held', 'go'), '');
  await waitFor(() => box.isOver('held'));
  expect(box.ran()).toEqual(['held']);
});

test('two engines that watch one folder run each request once between them', async () => {
  const box = makeInbox('sleep 0.1');
  watching(box.inbox);
  watching(box.inbox);
  const ids = ['one', 'two', 'three', 'four'];
  for (const id of ids) box.put(id, box.request(id));
  await waitFor(() => ids.every(box.isOver));
  await quiet(3300); // until the one that came second has looked again
  expect(box.ran()).toEqual([...ids].sort());
  for (const id of ids) expect(existsSync(box.at(id, 'execution_request.rejected.json')), id).toBe(false);
});

test("the engine's own copy of a request, in a workspace that is watched too, is not run again", async () => {
  const box = makeInbox();
  const file = path.join(box.folder, 'elsewhere.json');
  writeFileSync(file, JSON.stringify({ ...box.request('copied'), workspace_root: 'workspaces/copied' }));
  watching(box.inbox);
  await runRequest({ file }, { allowRoots: [] });
  await quiet();
  rmSync(file);
  expect(box.ran()).toEqual(['copied']);
  expect(existsSync(box.at('copied', 'execution_request.rejected.json'))).toBe(false);
});
