import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type AgentSpec, isExecutable, makeWorld, put, type Tree, versionAt } from './merge-world.ts';

const LINES = Array.from({ length: 12 }, (_, i) => `line ${i}`);
const text = (changes: Record<number, string> = {}) => `${LINES.map((line, i) => changes[i] ?? line).join('\n')}\n`;
const agent = (name: string, tree: Tree, more: Partial<AgentSpec> = {}): AgentSpec => {
  return { name, outputs: { code: { name: 'code', tree } }, ...more };
};

test('trees of several agents become one, and equal bytes stand there once', async () => {
  const world = makeWorld([
    agent('a', { 'x.txt': 'same', 'a/1': 'one' }),
    agent('b', { 'x.txt': 'same', 'b/2': 'two' }),
  ]);
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'success', conflicts_detected: 0, merged_files: [world.in('merged/code')] });
  expect(world.list('merged')).toEqual(['code/a/1', 'code/b/2', 'code/x.txt']);
  expect(world.record().files.map(file => file.fate)).toEqual(['merged', 'merged', 'merged', 'merged']);
});

test('different texts are merged against the input they share, and the sources are kept', async () => {
  const sides = [text({ 0: 'A' }), text({ 6: 'B' }), text({ 11: 'C' })];
  const agents = sides.map((side, i) => agent('abc'[i]!, { 'src/f.txt': side }, { inputs: ['codebase'] }));
  const world = makeWorld(agents);
  put(world.in('codebase/src/f.txt'), text());
  const { result } = await world.run();
  expect(result.status).toBe('success');
  expect(world.read('merged/code/src/f.txt')).toBe(text({ 0: 'A', 6: 'B', 11: 'C' }));
  for (const [i, file] of world.record().files.entries()) {
    expect(file.fate).toBe('source');
    expect(String(versionAt(file.at).bytes)).toBe(sides[i]);
  }
});

test('a single file as shared input is the base of an output of that name', async () => {
  const agents = ['a', 'b'].map((name, i) => ({
    name,
    outputs: { doc: { name: 'doc.md', tree: text({ [i * 8]: name }) } },
    inputs: ['inputs/doc.md'],
  }));
  const world = makeWorld(agents);
  put(world.in('inputs/doc.md'), text());
  expect((await world.run()).result.status).toBe('success');
  expect(world.read('merged/doc.md')).toBe(text({ 0: 'a', 8: 'b' }));
});

test('an input of one side only is no base', async () => {
  const world = makeWorld([
    agent('a', { f: text({ 0: 'A' }) }, { inputs: ['codebase'] }),
    agent('b', { f: text({ 8: 'B' }) }),
  ]);
  put(world.in('codebase/f'), text());
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'conflict', conflicts_detected: 1 });
  expect(world.conflicts().conflicts[0]?.base).toBeNull();
});

test('an agent that changed the shared input in place does not become the base of its own change', async () => {
  const agents = [
    agent('a', { f: text({ 0: 'A' }) }, { inputs: ['codebase'] }),
    agent('b', { f: text({ 8: 'B' }) }, { inputs: ['codebase'] }),
  ];
  const world = makeWorld(agents, { past: { 'codebase/f': text() } });
  put(world.in('codebase/f'), text({ 0: 'A' }));
  expect((await world.run()).result.status).toBe('success');
  expect(world.read('merged/code/f')).toBe(text({ 0: 'A', 8: 'B' }));
});

test('a shared input that another agent made is taken as it is now, not as an earlier run left it', async () => {
  const maker = { name: 'maker', outputs: { draft: { name: 'draft', tree: { f: text() } } } };
  const made = 'outputs/maker/draft/draft';
  const agents = [
    maker,
    agent('a', { f: text({ 0: 'A' }) }, { after: ['maker'], inputs: [made] }),
    agent('b', { f: text({ 8: 'B' }) }, { after: ['maker'], inputs: [made] }),
  ];
  const world = makeWorld(agents, { past: { [`${made}/f`]: text({ 0: 'old', 8: 'old' }) } });
  expect((await world.run()).result.status).toBe('success');
  expect(world.read('merged/code/f')).toBe(text({ 0: 'A', 8: 'B' }));
});

test('the checkpoint is the base where no shared input has the file', async () => {
  const past = { 'codebase/f': text() };
  const shared = { inputs: ['codebase'] };
  const world = makeWorld([agent('a', { f: text({ 0: 'A' }) }, shared), agent('b', { f: text({ 8: 'B' }) }, shared)], {
    past,
  });
  expect((await world.run()).result.status).toBe('success');
  expect(world.read('merged/code/f')).toBe(text({ 0: 'A', 8: 'B' }));
});

test('what the places of both sides held before the run is a base, but not what one of them held', async () => {
  const agents = [agent('a', { f: text({ 0: 'A' }) }), agent('b', { f: text({ 8: 'B' }) })];
  const both = { 'outputs/a/code/code/f': text(), 'outputs/b/code/code/f': text() };
  expect((await makeWorld(agents, { past: both }).run()).result.status).toBe('success');
  const one = { 'outputs/a/code/code/f': text() };
  expect((await makeWorld(agents, { past: one }).run()).result.status).toBe('conflict');
});

test('overlapping changes, binary files and links that differ are conflicts', async () => {
  const shared = { inputs: ['codebase'] };
  const world = makeWorld([
    agent('a', { f: text({ 3: 'A' }), g: Buffer.from([0, 1]), l: { link: 'f' } }, shared),
    agent('b', { f: text({ 3: 'B' }), g: Buffer.from([0, 2]), l: { link: 'g' } }, shared),
  ]);
  put(world.in('codebase/f'), text());
  put(world.in('codebase/g'), Buffer.from([0, 1]));
  const { result } = await world.run();
  expect(result.conflicts.map(conflict => conflict.path)).toEqual(['code/f', 'code/g', 'code/l']);
  expect(world.has('merged')).toBe(false);
  const reasons = world.conflicts().conflicts.map(conflict => conflict.reason);
  expect(reasons).toEqual([
    'the changes overlap',
    'the versions differ and are not text',
    'links and files differ here',
  ]);
});

test('a link is never taken for a file that holds the same text', async () => {
  const world = makeWorld([agent('a', { f: 'x', l: { link: 'f' } }), agent('b', { l: 'f' })]);
  expect((await world.run()).result.conflicts.map(conflict => conflict.path)).toEqual(['code/l']);
});

test('a file where another agent has a folder is one conflict about the whole folder', async () => {
  const world = makeWorld([
    agent('a', { x: 'file' }),
    agent('b', { 'x/1': 'one', 'x/y/2': 'two' }),
    agent('c', { x: { empty: true } }),
  ]);
  const { result } = await world.run();
  expect(result.conflicts).toMatchObject([{ path: 'code/x', agents: ['a', 'b', 'c'] }]);
  expect(world.conflicts().conflicts[0]?.sides.map(side => side.content)).toEqual(['file', 'one', 'two', '']);
  const id = result.conflicts[0]!.conflict;
  expect((await world.run({ taken: { [id]: { agent: 'b' } } })).result.status).toBe('success');
  expect(world.list('merged')).toEqual(['code/x/1', 'code/x/y/2']);
  expect((await world.run({ taken: { [id]: { agent: 'a' } } })).result.status).toBe('success');
  expect(world.read('merged/code/x')).toBe('file');
});

test('the executable bit is merged against the base', async () => {
  const shared = { inputs: ['codebase'] };
  const world = makeWorld([
    agent('a', { 'new.sh': { run: 'x' }, 'was.sh': { run: 'x' } }, shared),
    agent('b', { 'new.sh': 'x', 'was.sh': 'x' }, shared),
  ]);
  put(world.in('codebase/new.sh'), 'x');
  put(world.in('codebase/was.sh'), { run: 'x' });
  chmodSync(world.in('codebase/new.sh'), 0o644);
  await world.run();
  expect(isExecutable(world.in('merged/code/new.sh'))).toBe(true);
  expect(isExecutable(world.in('merged/code/was.sh'))).toBe(false);
});

test('links inside a tree and empty folders are kept as they are', async () => {
  const world = makeWorld([
    agent('a', { 'd/f': 'x', 'd/l': { link: '../d/f' }, gone: { link: 'nowhere' }, e: { empty: true } }),
  ]);
  expect((await world.run()).result.status).toBe('success');
  expect(world.list('merged')).toEqual(['code/d/f', 'code/d/l', 'code/e/', 'code/gone']);
  expect(versionAt(world.in('merged/code/d/l'))).toEqual({ kind: 'link', bytes: Buffer.from('../d/f') });
});

test('a file larger than what is read at once is copied whole', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, 'large ');
  const world = makeWorld([agent('a', { big: large, 'd/big': large }), agent('b', { big: 'small' })]);
  const { result } = await world.run();
  const side = world.conflicts().conflicts[0]!.sides[0]!;
  expect(side).toMatchObject({ encoding: 'file', bytes: large.length, content: '' });
  expect(versionAt(side.kept_at).bytes.equals(large)).toBe(true);
  await world.run({ taken: { [result.conflicts[0]!.conflict]: { agent: 'a' } } });
  expect(versionAt(world.in('merged/code/big')).bytes.equals(large)).toBe(true);
});
