// The index of a project and the documents of its agents, in real repositories: which file goes into which commit,
// and what a merge of two agents' branches makes of it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { commitHandoff } from '../../src/git/commit-handoff.ts';
import { commitMessage } from '../../src/handoff/handoff-prompts.ts';
import type { Worker } from '../../src/protocol/workers.ts';
import type { Hands } from '../../watchdog/act.ts';
import { writeFallback } from '../../watchdog/fallback.ts';
import { openIndex } from '../../watchdog/keep-index.ts';
import type { WatchedPane } from '../../watchdog/watched-pane.ts';
import type { Watched, Workers } from '../../watchdog/workers.ts';

let folder: string;
let alerts: string[];
const at = (...parts: string[]) => path.join(folder, ...parts);
const git = (where: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: at(where), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const read = (...parts: string[]) => readFileSync(at(...parts), 'utf8');
const put = (text: string, ...parts: string[]) => {
  mkdirSync(path.dirname(at(...parts)), { recursive: true });
  writeFileSync(at(...parts), text);
};

beforeEach(() => {
  folder = mkdtempSync('/tmp/bi-');
  alerts = [];
  view.workers = [worker('a'), worker('b')];
  duringUpdate = () => {};
  mkdirSync(at('main'));
  git('main', 'init', '-q', '-b', 'main');
  git('main', 'config', 'user.name', 'Tester');
  git('main', 'config', 'user.email', 'tester@localhost');
  put('one\n', 'main', 'code.txt');
  git('main', 'add', '.');
  git('main', 'commit', '-q', '-m', 'Begin');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const worker = (agent: string, more: Partial<Worker> = {}): Worker => ({
  key: `/ws/${agent}`,
  name: `${agent} of e`,
  ref: `e/${agent}`,
  folder: '/ws',
  task: `do ${agent}`,
  state: 'running',
  attempt: 1,
  note: null,
  waits_for: [],
  question: null,
  handoff: null,
  tokens: null,
  ended_at: null,
  ...more,
});
const paneIn = (tree: string, agent: string): WatchedPane => ({
  key: agent,
  identity: { socket: 's', pane: '%1', pid: 1 },
  name: `${agent} of e`,
  kind: 'engine',
  role: 'agent',
  folder: at(tree),
  channel: null,
  contract: null,
  workspace: '/ws',
  documentPath: at(tree, 'docs', 'handoff', `${agent}.md`),
  task: null,
  agent,
  cap: null,
  maxCostUsd: null,
  costs: null,
  lacks: [],
});
const view = { workers: [] as Worker[], events: [], lastN: 0 };
let duringUpdate = () => {};
function keeper(...panes: WatchedPane[]) {
  const ofExecution = () => {
    duringUpdate();
    return view;
  };
  const workers: Workers = { look: async () => {}, seenBy: () => view, ofExecution };
  const watched = panes.map(pane => ({ pane, status: {} }) as unknown as Watched);
  mkdirSync(at('state'), { recursive: true });
  return openIndex({
    state: at('state'),
    workers,
    watched: () => watched,
    alert: async (_, text) => void alerts.push(text),
  });
}
const commit = (tree: string, id: string, files: (string | null)[]) =>
  commitHandoff({
    folder: at(tree),
    files: files.filter(file => file !== null),
    removed: [],
    message: commitMessage(id),
    handoffId: id,
    ownRepository: at('own.git'),
  });

test('two agents in one tree: each commit has its own document and the index of both', async () => {
  const [a, b] = [paneIn('main', 'a'), paneIn('main', 'b')];
  const index = keeper(a, b);
  put('# Mine\n\nWords of a person.\n', 'main', 'docs', 'HANDOFF.md');
  for (const pane of [a, b]) {
    put(`of ${pane.agent}\n`, 'main', 'docs', 'handoff', `${pane.agent}.md`);
    const file = await index.bringUpToDate(pane, at('main', 'docs', 'HANDOFF.md'));
    expect(file).toBe(at('main', 'docs', 'HANDOFF.md'));
    expect(await commit('main', `h-${pane.agent}`, [pane.documentPath, file])).toMatchObject({ place: 'branch' });
  }
  expect(git('main', 'show', '--format=', '--name-only', 'HEAD~1')).toBe('docs/HANDOFF.md\ndocs/handoff/a.md');
  expect(read('main', 'docs', 'HANDOFF.md')).toMatch(/^# Mine\n\nWords of a person\.\n\n<!-- baton:index begin/);
  expect(read('main', 'docs', 'HANDOFF.md')).toContain('| a of e | do a | running | main | handoff/a.md |');
  expect(git('main', 'status', '--porcelain')).toBe('');
});

test('a merge of two agents’ branches keeps both documents apart and conflicts nowhere', async () => {
  put('# Mine\n', 'main', 'docs', 'HANDOFF.md');
  git('main', 'add', '.');
  git('main', 'commit', '-q', '-m', 'Document');
  const panes = ['a', 'b'].map(name => {
    git('main', 'worktree', 'add', '-q', '-b', name, at(name));
    return paneIn(name, name);
  });
  const index = keeper(...panes);
  for (const pane of panes) {
    const name = pane.agent!;
    put(`of ${name}\n`, name, 'docs', 'handoff', `${name}.md`);
    // Its branch gets its own document alone; the index is kept where the project is.
    const file = await index.bringUpToDate(pane, at(name, 'docs', 'HANDOFF.md'));
    expect(file).toBeNull();
    await commit(name, `h-${name}`, [pane.documentPath, file]);
    expect(git(name, 'show', '--format=', '--name-only', 'HEAD')).toBe(`docs/handoff/${name}.md`);
    expect(git(name, 'status', '--porcelain')).toBe('');
  }
  expect(read('main', 'docs', 'HANDOFF.md')).toContain('| b of e | do b | running | b | ../../b/docs/handoff/b.md |');
  git('main', 'merge', '-q', '--no-edit', 'a');
  git('main', 'merge', '-q', '--no-edit', 'b');
  expect([read('main', 'docs', 'handoff', 'a.md'), read('main', 'docs', 'handoff', 'b.md')]).toEqual([
    'of a\n',
    'of b\n',
  ]);
  expect(git('main', 'log', '--format=%s', '--merges')).toContain("Merge branch 'b'");
  expect(git('main', 'diff', '--name-only', '--diff-filter=U')).toBe('');
});

test('no index is begun in a tree where no agent works, nor written over one that is damaged or in work', async () => {
  git('main', 'worktree', 'add', '-q', '-b', 'a', at('a'));
  const linked = paneIn('a', 'a');
  expect(await keeper(linked).bringUpToDate(linked, at('a', 'docs', 'HANDOFF.md'))).toBeNull();
  expect([existsSync(at('main', 'docs')), existsSync(at('a', 'docs'))]).toEqual([false, false]);

  const pane = paneIn('main', 'b');
  const file = at('main', 'docs', 'HANDOFF.md');
  const index = keeper(pane);
  put('# Mine\n<!-- baton:index begin -->\n', 'main', 'docs', 'HANDOFF.md');
  expect(await index.bringUpToDate(pane, file)).toBeNull();
  expect(read('main', 'docs', 'HANDOFF.md')).toBe('# Mine\n<!-- baton:index begin -->\n');
  expect(alerts.join()).toContain('damaged');

  put('# Somebody writes\n', 'main', 'docs', 'HANDOFF.md');
  await index.whileOurs(file, async () => expect(await index.bringUpToDate(pane, file)).toBeNull());
  expect(read('main', 'docs', 'HANDOFF.md')).toBe('# Somebody writes\n');
  expect(await index.bringUpToDate(pane, file)).toBe(file);
});

test('what a person saves while the index is made stays, and a link or a huge file in its place is left alone', async () => {
  const pane = paneIn('main', 'b');
  const file = at('main', 'docs', 'HANDOFF.md');
  put('# Mine\n', 'main', 'docs', 'HANDOFF.md');
  duringUpdate = () => writeFileSync(file, '# Mine, and just saved\n');
  expect(await keeper(pane).bringUpToDate(pane, file)).toBeNull();
  expect(read('main', 'docs', 'HANDOFF.md')).toBe('# Mine, and just saved\n');
  rmSync(file);
  expect(await keeper(pane).bringUpToDate(pane, file)).toBeNull();
  expect(read('main', 'docs', 'HANDOFF.md')).toBe('# Mine, and just saved\n');

  duringUpdate = () => {};
  put('x'.repeat(5_000_000), 'main', 'docs', 'HANDOFF.md');
  expect(await keeper(pane).bringUpToDate(pane, file)).toBeNull();
  expect(read('main', 'docs', 'HANDOFF.md')).toHaveLength(5_000_000);
  rmSync(file);
  symlinkSync(at('elsewhere.md'), file);
  expect(await keeper(pane).bringUpToDate(pane, file)).toBeNull();
  expect(existsSync(at('elsewhere.md'))).toBe(false);
  expect(alerts.map(alert => alert.replace(/^.*: /, ''))).toEqual([
    expect.stringContaining('5000000 bytes'),
    expect.stringContaining('symlink'),
  ]);
});

test('what workers say goes into the index without secrets, by name, by shape or of this environment', async () => {
  process.env.BATON_TEST_PASSWORD = 'kept-in-the-environment';
  onTestFinished(() => void delete process.env.BATON_TEST_PASSWORD);
  const task = `use kept-in-the-environment, DEPLOY_TOKEN=abcdef0123456789 and ghp_${'a1'.repeat(18)}`;
  view.workers = [worker('a', { task })];
  const pane = paneIn('main', 'a');
  await keeper(pane).bringUpToDate(pane, at('main', 'docs', 'HANDOFF.md'));
  expect(read('main', 'docs', 'HANDOFF.md')).toContain(
    'use [redacted:BATON_TEST_PASSWORD], DEPLOY_TOKEN=[redacted] and [redacted]',
  );
});

test('an ignored index is kept but not committed, so that the document still reaches its branch', async () => {
  put('docs/HANDOFF.md\n', 'main', '.gitignore');
  const pane = paneIn('main', 'a');
  expect(await keeper(pane).bringUpToDate(pane, at('main', 'docs', 'HANDOFF.md'))).toBeNull();
  expect(read('main', 'docs', 'HANDOFF.md')).toContain('a of e');
});

// An agent was handed off in the main tree: the index is begun and committed. The user has work of their own there.
async function begun() {
  const pane = paneIn('main', 'a');
  const index = keeper(pane);
  const place = at('main', 'docs', 'HANDOFF.md');
  put('# Mine\n', 'main', 'docs', 'HANDOFF.md');
  put('of a\n', 'main', 'docs', 'handoff', 'a.md');
  await commit('main', 'h-a', [pane.documentPath, await index.bringUpToDate(pane, place)]);
  put('staged\n', 'main', 'staged.txt');
  git('main', 'add', 'staged.txt');
  put('changed\n', 'main', 'code.txt');
  return { index, pane, before: git('main', 'rev-parse', 'HEAD') };
}
const own = () => git('main', 'status', '--porcelain');
const mine = 'M code.txt\nA  staged.txt'; // as trimmed
const count = (since: string) => Number(git('main', 'rev-list', '--count', `${since}..HEAD`));
const text = () => read('main', 'docs', 'HANDOFF.md');
const asks = { digest: 'd', kind: 'permission', title: 'git push', options: [] };

test('when an agent asks or ends the index becomes true again, by a commit of its own, settled and seldom', async () => {
  const { index, before } = await begun();
  await index.refresh(0);
  await index.refresh(100_000);
  expect(count(before)).toBe(0);

  view.workers = [worker('a', { state: 'asking', question: asks }), worker('b')];
  await index.refresh(200_000);
  await index.refresh(203_000);
  expect(text()).not.toContain('git push'); // not settled yet
  await index.refresh(206_000);
  expect(text()).toContain('- a of e: asking (permission: git push)');
  expect([count(before), git('main', 'show', '--format=%s', '--name-only', 'HEAD')]).toEqual([
    1,
    'docs: index of agents\n\ndocs/HANDOFF.md',
  ]);
  expect(own()).toBe(mine);

  // Another change soon after waits for its minute; the end of the execution does not.
  view.workers = [worker('a'), worker('b')];
  for (const now of [207_000, 213_000, 260_000]) await index.refresh(now);
  expect(text()).toContain('git push');
  view.workers = [worker('a', { state: 'success' }), worker('b', { state: 'failure', note: 'no tests' })];
  for (const now of [261_000, 267_000, 275_000, 400_000]) await index.refresh(now);
  expect(text()).toContain('none: no agent is at work');
  expect(text()).toContain('- b of e: failure (no tests)');
  expect(text()).toMatch(/^# Mine\n/);
  expect([count(before), own()]).toEqual([2, mine]);
});

test('an execution that ended while no watchdog ran is told of by the next one', async () => {
  const { pane, before } = await begun();
  view.workers = [worker('a', { state: 'success' }), worker('b', { state: 'success' })];
  const next = keeper(pane);
  await next.refresh(0);
  await next.refresh(6000);
  expect([text().includes('none: no agent is at work'), count(before), own()]).toEqual([true, 1, mine]);
});

test('words of a person that are in no commit yet stay out of it, and an index that was taken out stays out', async () => {
  const { index, before } = await begun();
  put(text().replace('# Mine\n', '# Mine\n\nNot committed.\n'), 'main', 'docs', 'HANDOFF.md');
  view.workers = [worker('a', { state: 'success' }), worker('b')];
  for (const now of [0, 6000]) await index.refresh(now);
  expect(text()).toMatch(/^# Mine\n\nNot committed\.\n/);
  expect(text()).not.toContain('| a of e |');
  expect(count(before)).toBe(0);

  put('# Mine alone\n', 'main', 'docs', 'HANDOFF.md');
  view.workers = [worker('a', { state: 'success' }), worker('b', { state: 'success' })];
  for (const now of [100_000, 106_000, 200_000]) await index.refresh(now);
  expect([text(), count(before)]).toEqual(['# Mine alone\n', 0]);
});

test('one that somebody is writing just now is left until they are done', async () => {
  const { index, before } = await begun();
  view.workers = [worker('a', { state: 'success' }), worker('b', { state: 'success' })];
  await index.refresh(0);
  await index.whileOurs(at('main', 'docs', 'HANDOFF.md'), () => index.refresh(6000));
  expect(text()).toContain('| a of e |');
  await index.refresh(8000);
  expect([text().includes('none: no agent is at work'), count(before)]).toEqual([true, 1]);
});

test('the document that the watchdog writes for an orchestrator names its workers, also those that ended', async () => {
  const documentPath = at('main', 'docs', 'HANDOFF.md');
  const ended = {
    n: 1,
    at: '2026-11-18T10:05:00.000Z',
    key: '/ws/b',
    name: 'b of e',
    folder: '/ws',
    text: '',
    is_end: true,
  };
  const hands = {
    pane: { ...paneIn('main', 'lead'), role: 'orchestrator' },
    ear: { transcript: () => null },
    task: 'lead',
    rules: { root: at('main'), documentPath, templatePath: at('none.md'), sizeThreshold: 500 },
    workers: () => ({
      workers: [worker('a'), worker('b', { state: 'failure', note: 'no tests' })],
      events: [ended],
      lastN: 1,
    }),
  } as unknown as Hands;
  const effect = { do: 'write_fallback', id: 'h-1', reason: 'error recovery', why: 'it is full', over: null } as const;
  const state = { handoff: { tokensBefore: 5, archived: [] } } as unknown as Parameters<typeof writeFallback>[2];
  expect(await writeFallback(hands, effect, state)).toEqual({ did: 'done' });
  expect(read('main', 'docs', 'HANDOFF.md')).toContain('| a of e | do a | running | - | - |');
  expect(read('main', 'docs', 'HANDOFF.md')).toContain(
    '| b of e | do b | failure (no tests) | - | 2026-11-18T10:05:00.000Z |',
  );
});
