// What the dashboard knows of executions, from the files they left: who is shown, what they cost, how full they were.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gatherLines } from '../../src/dashboard/feed/gather-lines.ts';
import { type Feed, openFeed } from '../../src/dashboard/feed/open-feed.ts';
import { forgetRuns, runBaton } from '../../src/dashboard/feed/run-baton.ts';
import { buildRows } from '../../src/dashboard/model/agent-row.ts';
import { headerLine } from '../../src/dashboard/model/header-line.ts';
import { failedOutcome } from '../../src/engine/start-attempts.ts';
import { watchPlace } from '../../src/files/watch-place.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { colourless } from '../../src/text/paint.ts';
import { rememberExecution } from '../../src/watching/list-executions.ts';
import { until } from '../cli/cli-world.ts';
import { agent, claude, NOW, seen as toSeen } from './seen-world.ts';

const T0 = '2026-01-02T10:00:00.000Z';
const logs = { stdout: '/o', stderr: '/e' };
let folder: string;
let feed: Feed | null = null;
const before = process.env.BATON_STATE_DIR;
beforeEach(() => {
  folder = mkdtempSync('/tmp/bf-');
  process.env.BATON_STATE_DIR = path.join(folder, 'state');
});
afterEach(() => {
  feed?.close();
  feed = null;
  process.env.BATON_STATE_DIR = before;
  rmSync(folder, { recursive: true, force: true });
});

type Line = ReturnType<typeof agent>;
type Left = { status?: string; startedAt?: string; agents?: Line[]; events?: object[]; conflict?: boolean };

async function leave(id: string, { status = 'success', startedAt = T0, agents = [], events = [], conflict }: Left) {
  const workspace = path.join(folder, id);
  mkdirSync(path.join(workspace, '.baton'), { recursive: true });
  const base = toSeen(agents).executions[0]!.status;
  const write = (name: string, value: unknown) => writeFileSync(path.join(workspace, name), JSON.stringify(value));
  write('status.json', {
    ...base,
    execution_id: id,
    workspace_root: workspace,
    status,
    engine_pid: null,
    updated_at: new Date().toISOString(),
  });
  const request = ExecutionRequest.parse({
    execution_id: id,
    workspace_root: workspace,
    agents: (agents.length === 0 ? [agent('a')] : agents).map(({ agent_name }) => ({
      agent_name,
      agent_path: '/a',
      task: { description: `do ${agent_name}` },
    })),
  });
  const first = {
    type: 'execution_started',
    agent: null,
    data: { request, request_sha256: '', workspace_root: workspace, allow_roots: [], trusted: [] },
  };
  const lines = [first, ...events].map((event, at) => JSON.stringify({ id: at + 1, time: T0, ...event }));
  writeFileSync(path.join(workspace, 'events.ndjson'), `${lines.join('\n')}\n`);
  const side = { source: '/s', sha256: '', bytes: 1, encoding: 'utf8', content: '', kept_at: '/k' };
  const conflicts = [
    {
      id: 'c-1',
      kind: 'file',
      path: 'x',
      reason: 'r',
      base: null,
      sides: [
        { ...side, agent: 'a' },
        { ...side, agent: 'b' },
      ],
    },
  ];
  if (conflict === true) write('conflicts.json', { execution_id: id, written_at: T0, conflicts });
  await rememberExecution({ id, workspace, startedAt });
  return workspace;
}

const started = (name: string, attempt = 1) => ({
  type: 'attempt_started',
  agent: name,
  data: { attempt, session: name, logs },
});
const ended = (name: string, attempt: number, cost: number | null, status = 'failure') => ({
  type: 'attempt_ended',
  agent: name,
  data: {
    attempt,
    outcome: {
      ...failedOutcome('broken', logs),
      status,
      claude: {
        version: null,
        permission_mode: 'default',
        session_ids: [`${name}-s${attempt}`],
        nudges: 0,
        restarts: 0,
        parked_seconds: 0,
        context_tokens: 22_000,
        cost_usd: cost,
        transcripts: [],
        continuations: 0,
        chain: null,
      },
    },
  },
});
const look = () => {
  feed = openFeed();
  return feed;
};
const shows = (is: (feed: Feed) => boolean, what: string) =>
  until(() => is(feed!), `${what}; seen: ${JSON.stringify(feed!.seen().executions.map(({ id }) => id))}`, 10_000);

test('what runs or left a conflict is shown however many newer ones ended, and an old one that begins again too', async () => {
  await leave('long', { status: 'running', startedAt: '2026-01-01T00:00:00.000Z', agents: [agent('a')] });
  await leave('undecided', { startedAt: '2026-01-01T00:00:01.000Z', conflict: true });
  const old = await leave('old', { startedAt: '2026-01-01T00:00:02.000Z' });
  for (let n = 10; n < 22; n += 1) await leave(`short-${n}`, { startedAt: `2026-01-02T00:00:${n}.000Z` });
  look();
  await shows(each => each.seen().executions.length === 14, 'twelve that ended, one that runs, one to decide');
  const ids = feed!.seen().executions.map(({ id }) => id);
  expect(ids.slice(-2)).toEqual(['undecided', 'long']);
  expect(ids).not.toContain('old');
  const status = toSeen([agent('a')]).executions[0]!.status;
  writeFileSync(path.join(old, 'status.json.new'), JSON.stringify({ ...status, execution_id: 'old' }));
  renameSync(path.join(old, 'status.json.new'), path.join(old, 'status.json'));
  await shows(each => each.seen().executions.some(({ id }) => id === 'old'), 'the one that runs again');
});

test('the first that is told is all of it: nobody is put first because it was read first', async () => {
  for (let n = 10; n < 15; n += 1) await leave(`run-${n}`, { status: 'running', agents: [agent('a')] });
  const opened = look();
  const told: number[] = [];
  opened.subscribe(() => told.push(opened.seen().executions.length));
  await until(() => told.length > 0, 'something told', 10_000);
  opened.refresh();
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(new Set(told)).toEqual(new Set([5]));
});

test('costs are those of all attempts, also of agents that ended before it was opened, and say what nobody measured', async () => {
  const done = { status: 'success' as const, claude: null, pane: null, end_time: T0, attempt: 1 };
  const agents = [
    agent('twice', { ...done, attempt: 2 }),
    agent('blind', done),
    agent('now', { claude: claude({ cost_usd: 0.5 }) }),
    agent('shell', done),
  ];
  const shell = { ...ended('shell', 1, null, 'success') };
  await leave('costly', {
    status: 'running',
    agents,
    events: [
      started('twice'),
      ended('twice', 1, 0.1),
      started('twice', 2),
      ended('twice', 2, 0.2, 'success'),
      started('blind'),
      ended('blind', 1, null, 'success'),
      started('shell'),
      { ...shell, data: { ...shell.data, outcome: { ...shell.data.outcome, claude: null } } },
      started('now'),
    ],
  });
  look();
  await shows(each => each.seen().executions.length === 1, 'the execution');
  const rows = buildRows(feed!.seen());
  const of = (name: string) => rows.find(row => row.name === name)!;
  expect(of('twice').costUsd).toBeCloseTo(0.3);
  expect(of('now').costUsd).toBe(0.5);
  expect(of('blind')).toMatchObject({ costUsd: null, isClaude: true, context: { tokens: 22_000 } });
  expect(of('shell').isClaude).toBe(false);
  expect(headerLine(feed!.seen(), rows, { now: NOW, width: 120, paint: colourless })).toContain('$0.80+?');
});

test('opened after the end, an agent still has its threshold and its curve', async () => {
  const done = agent('a', { status: 'success', claude: null, pane: null, end_time: T0, attempt: 1 });
  const workspace = await leave('over', { agents: [done], events: [started('a'), ended('a', 1, 0.1, 'success')] });
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  };
  write('.baton/agents.json', JSON.stringify({ a: { provider: 'claude', cwd: 'repo' } }));
  write('repo/baton.json', JSON.stringify({ context_threshold: 60_000 }));
  const said = (tokens: number, at: string) =>
    JSON.stringify({
      type: 'assistant',
      timestamp: at,
      sessionId: 'a-s1',
      message: { role: 'assistant', model: 'm', content: [], usage: { input_tokens: tokens } },
    });
  write(
    'transcripts/a/a-s1.jsonl',
    `${said(20_000, '2026-01-02T10:00:01.000Z')}\n${said(50_000, '2026-01-02T10:00:02.000Z')}\n`,
  );
  look();
  await shows(each => (buildRows(each.seen())[0]?.history.length ?? 0) === 2, 'two points of its transcript');
  expect(buildRows(feed!.seen())[0]!.context).toMatchObject({ tokens: 22_000, threshold: 60_000 });
});

test('a folder that was removed and made again is watched again', async () => {
  const place = path.join(folder, 'place');
  mkdirSync(place);
  let told = 0;
  const stop = watchPlace(
    place,
    name => name === 'file',
    () => {
      told += 1;
    },
  );
  rmSync(place, { recursive: true });
  await new Promise(resolve => setTimeout(resolve, 200));
  mkdirSync(place);
  await until(() => told > 0, 'a look at the new folder', 10_000);
  const before = told;
  writeFileSync(path.join(place, 'file'), 'x');
  await until(() => told > before, 'a change in the new folder', 10_000);
  stop();
});

test('a page keeps its first lines and a last one without an end; a log its last lines', () => {
  const page = gatherLines({ most: 3, keeps: 'beginning' });
  const source = page.source();
  source.add(Buffer.from('a\nb'));
  source.end();
  expect(page.lines()).toEqual(['a', 'b']);
  const more = page.source();
  more.add(Buffer.from('c\nd\ne\n'));
  more.add(Buffer.from('f\n'));
  expect(page.lines()).toEqual(['a', 'b', 'c', '… cut after 3 lines; the command itself shows all']);
  const log = gatherLines({ most: 2, keeps: 'end' });
  log.source().add(Buffer.from('a\nb\nc\n'));
  expect(log.lines()).toEqual(['b', 'c']);
});

test('a command that is still under way when the dashboard ends leaves no file of its words', async () => {
  const runtime = process.env.BATON_RUNTIME_DIR!;
  const left = () => existsSync(runtime) && readdirSync(runtime).some(name => name.startsWith('dash-'));
  const answer = runBaton(['--version'], 'version');
  expect(left()).toBe(true);
  forgetRuns();
  expect(left()).toBe(false);
  await answer;
});
