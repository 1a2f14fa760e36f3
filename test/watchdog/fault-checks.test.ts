// A checker is believed only once it has caught something: for each invariant that is asked after a real kill, a world
// in which it was broken, and nothing else.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { checks, DRAFT, type Kill, type Left, MINE, violations } from './fault-checks.ts';

const kill: Kill = { victim: 'engine', at: 'committing:effect', draft: false };
const T = (second: number) => new Date(Date.parse('2026-11-18T10:00:00Z') + second * 1000).toISOString();
const ASK = 'Please hand over your work now.\nHandoff-Id: h-1\nBaton-Message: h-1/1';
const RESUME = 'You go on with work.\nBaton-Message: h-1/2';
const TASK = 'Task: do g1\n\nResult file: /r/agent_result.json\nIts form: {}';

const report = {
  execution_id: 'fleet',
  status: 'success',
  start_timestamp: T(0),
  end_timestamp: T(60),
  duration_seconds: 60,
  agents: [],
  merge_result: {
    status: 'success',
    reason: null,
    merged_ctxpack: null,
    conflicts_detected: 0,
    conflicts_resolved: 0,
    validation_passed: null,
    merged_files: [],
    findings: [],
    resolutions: [],
    conflicts: [],
    conflicts_file: null,
    record: null,
  },
  errors: [],
  warnings: [],
};

let left: Left & { record: HandoffRecord; happened: Event[] };
let folder: string;

const note = (event: string, payload: Record<string, string>, more: object = {}) =>
  appendFileSync(
    path.join(folder, 'fleet', 'ws', '.baton', 'claude', 'g1.1', 'receipts.ndjson'),
    `${JSON.stringify({ event, payload, ...more })}\n`,
  );
const say = (prompt: string) => note('UserPromptSubmit', { prompt, session_id: 's1' });
const clear = (session: string) => note('SessionStart', { source: 'clear', session_id: session });
const spoke = (second: number): Event =>
  ({ id: 9, time: T(second), type: 'prompt_submitted', agent: 'g1', data: { purpose: 'nudge' } }) as unknown as Event;
const ended = (): Event =>
  ({ id: 8, time: T(60), type: 'attempt_ended', agent: 'g1', data: { attempt: 1 } }) as unknown as Event;
function commit(id: string, second: number, file = `${id}.md`): string {
  // By plumbing, so that the index of the user stays as it is.
  const env = { ...process.env, GIT_INDEX_FILE: path.join(folder, `index-${id}`), GIT_COMMITTER_DATE: T(second) };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path.join(folder, 'repo'), env, encoding: 'utf8' });
  const blob = git('hash-object', '-w', path.join(folder, 'repo', 'mine.txt')).trim();
  git('update-index', '--add', '--cacheinfo', `100644,${blob},${file}`);
  const message = `docs: orchestrator handoff checkpoint\n\nHandoff-Id: ${id}`;
  const sha = git('commit-tree', git('write-tree').trim(), '-p', 'HEAD', '-m', message).trim();
  git('update-ref', `refs/heads/${id}-${second}`, sha);
  return sha;
}
const book = (...names: string[]) =>
  writeFileSync(
    path.join(folder, 'state', 'watchdog', 'workers.json'),
    JSON.stringify({ events: names.map(name => ({ name, is_end: true })) }),
  );

// A world in which one handoff went well after the engine was killed.
beforeEach(() => {
  folder = tempFolder();
  const at = (...parts: string[]) => path.join(folder, ...parts);
  for (const name of ['repo', 'state/watchdog', 'fleet/ws/.baton/claude/g1.1'])
    mkdirSync(at(name), { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: at('repo'), encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@localhost');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  for (const name of ['mine.txt', 'staged.txt']) writeFileSync(at('repo', name), MINE);
  git('add', 'staged.txt');
  const read = (...parts: string[]) => {
    try {
      return readFileSync(at(...parts), 'utf8');
    } catch {
      return '';
    }
  };
  const sha = commit('h-1', 20);
  const record = {
    id: 'h-1',
    outcome: 'closed',
    why: '',
    session_before: 's1',
    session_after: 's2',
    commit: { sha },
    ended_at: T(50),
    steps: { quiet: T(5), cleared: T(30) },
  } as unknown as HandoffRecord;
  const happened = [ended()];
  left = { at, read, git, record, happened, records: () => [left.record], events: () => left.happened };
  writeFileSync(at('fleet', 'ws', 'execution_report.json'), JSON.stringify(report));
  say(TASK);
  say(ASK);
  clear('s2');
  say(RESUME);
  book('g1 of fleet');
});

test('a world in which all went well has no violation', () => {
  expect(violations(left, kill, true)).toEqual([]);
  expect(violations(left, kill, false)).toEqual([]);
});

const rewind = () => left.git('update-ref', '-d', 'refs/heads/h-1-20');
const dead: Kill = { ...kill, victim: 'watchdog' };
type Planted = [name: string, what: string, plant: () => unknown, found: string];

const planted: Planted[] = [
  ['I1', 'a commit that is not reachable any more', () => { rewind(); commit('h-2', 20); }, 'h-1 cleared, and its commit is not reachable'],
  ['I1', 'a clear that came before the commit', () => { left.record.steps.cleared = T(10); }, 'h-1 cleared before its commit'],
  ['I1', 'a clear without any commit', () => { rewind(); left.record.session_after = null; left.record.outcome = 'agent_gone'; return { ...kill, victim: 'claude' }; }, '1 clears with 0 handoffs committed'],
  ['I2', 'two clears for one handoff', () => { clear('s3'); commit('h-2', 21); return { ...kill, victim: 'claude' }; }, '2 clears, 1 handoffs'],
  ['I2', 'a clear that no handoff knows of', () => { left.record.session_after = 's9'; }, '1 clears, 1 handoffs'],
  ['I3', 'half of a prompt', () => say('document you write here.\nBaton-Message: h-1/7'), '"document you write here.'],
  ['I3', '/clear that became a plain prompt', () => say('/clear'), '"/clear" was submitted'],
  ['I4', 'an engine that speaks in the middle', () => { left.happened.push(spoke(25)); }, `the engine spoke at ${T(25)}, in the middle of h-1`],
  ['I5', 'an attempt that ended twice', () => { left.happened.push(ended()); }, 'attempt g1 1 ended twice'],
  ['I5', 'a report that is not whole', () => writeFileSync(left.at('fleet', 'ws', 'execution_report.json'), '{"version": 1'), 'the report is not whole'],
  ['I5', 'a run without a report', () => writeFileSync(left.at('fleet', 'ws', 'execution_report.json'), ''), 'there is no report'],
  ['I6', 'a draft that was submitted', () => say(`${DRAFT}Please hand over`), 'the draft was submitted'],
  ['I7', 'a changed file of the user', () => writeFileSync(left.at('repo', 'mine.txt'), ''), 'files of the user changed'],
  ['I7', 'a changed index', () => { left.git('rm', '-q', '--cached', 'staged.txt'); }, 'the index has ""'],
  ['I10', 'a prompt said twice', () => say(ASK), 'h-1.1 said twice'],
  ['I10', 'an order after the prompt', () => note('Stop', {}, { ordered: 'h-1.1' }), 'h-1.1 said twice'],
  ['I10', 'the same document committed twice', () => { commit('h-1', 22); return dead; }, 'h-1 committed twice'],
  ['I11', 'an end that the kill does not explain', () => { left.record.outcome = 'blind'; return { ...kill, victim: 'claude' }; }, 'h-1 ended as blind ()'],
  ['I11', 'a lost watchdog excused where nothing was cleared yet', () => { left.record.outcome = 'futile'; return { ...dead, at: 'asking:proof' }; }, 'h-1 ended as futile ()'],
  ['I11', 'an agent gone before it was told to go on', () => { left.record.outcome = 'agent_gone'; return { ...dead, at: 'committed:proof' }; }, 'h-1 ended as agent_gone ()'],
  ['I11', 'no record at all', () => { left.records = () => []; return { ...kill, victim: 'claude' }; }, 'there is no record'],
  ['I14', 'a lost end of a worker', () => book(), 'the end of g1 of fleet is not in the book'],
]; // biome-ignore format: a table

test.each(planted)('%s finds %s', (name, _, plant, found) => {
  const circumstances = (plant() as Kill | undefined) ?? kill;
  const all = violations(left, circumstances, true).filter(each => !isShadow(each, found));
  expect(all).toEqual([expect.stringContaining(found)]);
  expect(all[0]!.split(' ')[0]).toBe(name);
});

// Without a record its clear belongs to nothing: both are true, and one is asked for.
const isShadow = (each: string, found: string) => found === 'there is no record' && each.startsWith('I2');

test('every invariant has something planted', () => {
  expect([...new Set(planted.map(([name]) => name))]).toEqual(Object.keys(checks).map(name => name.split(' ')[0]));
});

test('what a killed watchdog excuses depends on where it died', () => {
  left.record.outcome = 'futile';
  expect(violations(left, { ...dead, at: 'clearing:effect' }, true)).toEqual([]);
  left.record.outcome = 'agent_gone';
  expect(violations(left, { ...dead, at: 'settling:proof' }, true)).toEqual([]);
});
