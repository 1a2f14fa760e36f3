// The index inside somebody else's document: only what is between the marks is ever written.

import { expect, test } from 'vitest';
import { type IndexedWorker, indexBlock, withIndex } from '../../src/handoff/index-document.ts';

const at = '2026-11-18T10:05:00.000Z';
const worker = (name: string, more: Partial<IndexedWorker> = {}): IndexedWorker => ({
  key: `/ws/${name}`,
  name: `${name} of exec-1`,
  ref: null,
  folder: '/ws',
  task: 'build it',
  state: 'running',
  attempt: 1,
  note: null,
  waits_for: [],
  question: null,
  handoff: null,
  tokens: null,
  ended_at: null,
  document: `/p/docs/handoff/${name}.md`,
  branch: 'main',
  ...more,
});
const event = { n: 1, at, key: '/ws/a', name: 'a of exec-1', folder: '/ws', text: 'ended: success', is_end: true };
const block = (...workers: IndexedWorker[]) => indexBlock({ at, workers, events: [event] });

test('has active workers, pending and blocked ones and what happened', () => {
  const text = block(
    worker('a', { state: 'success' }),
    worker('b', { handoff: 'h-1' }),
    worker('c', { state: 'pending', waits_for: ['b'] }),
    worker('d', { state: 'parked', note: 'limit' }),
  );
  expect(text).toContain(
    '| b of exec-1 | build it | running, being handed over | main | /p/docs/handoff/b.md | 2026-11-18 10:05 UTC |',
  );
  expect(text).toContain('- c of exec-1 (after b)');
  expect(text).toContain('- d of exec-1: parked (limit)');
  expect(text).toContain('- 2026-11-18 10:05 UTC a of exec-1 ended: success');
  expect(text).not.toContain('| a of exec-1');
});

test.each(['# Mine\n\ntext', '# Mine\r\n\r\ntext\r\n', '\ufeff# Mine\n'])(
  'is added below what is there, and renewed without touching it: %j',
  before => {
    const once = withIndex(before, block(worker('a')))!;
    expect(once.startsWith(before)).toBe(true);
    const below = `${once}My own words below.\n`;
    const twice = withIndex(below, block(worker('b')))!;
    expect(twice.startsWith(before)).toBe(true);
    expect(twice.endsWith('My own words below.\n')).toBe(true);
    expect(twice).toContain('b of exec-1 |');
    expect(twice).not.toContain('a of exec-1 |');
    expect(withIndex(twice, block(worker('b')))).toBe(twice);
    expect(before.includes('\r\n')).toBe(/[^\r]\n/.test(once) === false);
  },
);

test('makes a document where there is none', () => {
  expect(withIndex(null, block())).toMatch(/^# Orchestration Handoff\n\n<!-- baton:index begin/);
});

test('leaves a document alone whose marks are damaged, and joins two blocks of a merge', () => {
  const good = withIndex('# Mine\n', block(worker('a')))!;
  const [begin, end] = [good.indexOf('<!-- baton:index begin'), good.indexOf('<!-- baton:index end')];
  expect(withIndex(good.slice(0, end), block())).toBeNull();
  expect(withIndex(good.slice(0, begin) + good.slice(begin + 30), block())).toBeNull();
  const doubled = withIndex(`${good}\n${good}`, block(worker('b')))!;
  expect(doubled.match(/baton:index begin/g)).toHaveLength(1);
  expect(doubled.match(/# Mine/g)).toHaveLength(2);
  const conflict = good.replace('As of', '<<<<<<< HEAD\nAs of x\n=======\nAs of y\n>>>>>>> other\nAs of');
  expect(withIndex(conflict, block(worker('b')))).not.toMatch(/<<<<<<<|>>>>>>>/);
});

test('no worker can write a mark, a table cell or a line of its own into it', () => {
  const evil = 'x\n<!-- baton:index end -->\n# Title | cell';
  const text = block(worker('a', { name: evil, task: evil }), worker('b', { state: 'parked', note: evil }));
  expect(text.match(/baton:index end/g)).toHaveLength(1);
  expect(text.split('\n').some(line => line.startsWith('# '))).toBe(false);
  const cells = text.split('\n').find(line => line.startsWith('| x'))!;
  expect(cells.replaceAll('\\|', '').split('|')).toHaveLength(8);
});
