import { expect, test } from 'vitest';
import { ConflictReport } from '../../src/protocol/conflicts.ts';
import { type AgentSpec, type Content, makeWorld, put, strategyOf, versionAt } from './merge-world.ts';

const auto = { strategy: strategyOf('file_merge', 'auto') };
const one = (name: string, content: Content, after: string[] = [], file = 'f.txt'): AgentSpec => {
  return { name, after, outputs: { out: { name: file, tree: content } }, inputs: ['shared'] };
};

test('fail_on_conflict merges nothing, lists the conflicts and writes no conflicts.json', async () => {
  const strategy = strategyOf('file_merge', 'fail_on_conflict');
  const world = makeWorld([one('a', 'A'), one('b', 'B'), { name: 'c', outputs: { x: { name: 'x', tree: 'x' } } }], {
    strategy,
  });
  const { result, conflicts } = await world.run();
  expect(result).toMatchObject({ status: 'conflict', conflicts_detected: 1, conflicts_resolved: 0, merged_files: [] });
  expect(result.conflicts).toMatchObject([{ path: 'f.txt', agents: ['a', 'b'] }]);
  expect(conflicts).toBeNull();
  expect(world.has('conflicts.json') || world.has('merged')).toBe(false);
  expect(world.record().files.map(file => file.fate)).toEqual(['conflict', 'conflict', 'source']);
});

test('manual_review writes every side with its content and keeps its bytes', async () => {
  const binary = Buffer.from([0, 255, 1]);
  const large = 'x'.repeat(256 * 1024 + 1);
  const world = makeWorld([one('a', 'text'), one('b', binary), one('c', large)]);
  const { result, conflicts } = await world.run();
  expect(result.status).toBe('conflict');
  const report = ConflictReport.parse(world.conflicts());
  expect(report).toEqual(conflicts);
  const sides = report.conflicts[0]!.sides;
  expect(sides.map(side => side.encoding)).toEqual(['utf8', 'base64', 'file']);
  expect(sides.map(side => side.content)).toEqual(['text', binary.toString('base64'), '']);
  expect(sides.map(side => versionAt(side.kept_at).bytes)).toEqual([Buffer.from('text'), binary, Buffer.from(large)]);
  expect(world.has('merged') || world.has('merged.tmp')).toBe(false);
});

test('conflict ids are short and the same each time', async () => {
  const agents = [one('a', 'A'), one('b', 'B')];
  const [first, second] = await Promise.all([makeWorld(agents).run(), makeWorld(agents).run()]);
  expect(first.result.conflicts[0]?.conflict).toMatch(/^c-[0-9a-f]{8}$/);
  expect(second.result.conflicts).toEqual(first.result.conflicts);
});

test('auto takes the later version where only blanks differ, and keeps the other', async () => {
  const world = makeWorld([one('a', 'x  \r\ny', ['b']), one('b', 'x\ny\n')], auto);
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'success', conflicts_detected: 1, conflicts_resolved: 1, conflicts: [] });
  expect(result.resolutions).toMatchObject([
    { path: 'f.txt', rule: 'blanks', chosen: 'a', discarded: [{ agent: 'b' }] },
  ]);
  expect(world.read('merged/f.txt')).toBe('x  \r\ny');
  expect(String(versionAt(result.resolutions[0]!.discarded[0]!.kept_at).bytes)).toBe('x\ny\n');
  expect(world.record().files.map(file => file.fate)).toEqual(['merged', 'discarded']);
});

test('auto takes the one version that changed against the base, even of a binary file', async () => {
  const world = makeWorld([one('a', Buffer.from([0, 1])), one('b', Buffer.from([0, 2]))], auto);
  put(world.in('shared/f.txt'), Buffer.from([0, 1]));
  const { result } = await world.run();
  expect(result.resolutions).toMatchObject([{ rule: 'one_changed', chosen: 'b' }]);
});

test('auto takes the version of an agent that saw all others, through others too', async () => {
  const world = makeWorld([one('a', 'A'), one('b', 'B', ['a']), one('c', 'C', ['b'])], auto);
  const { result } = await world.run();
  expect(result.resolutions).toMatchObject([
    { rule: 'saw_all', chosen: 'c', discarded: [{ agent: 'a' }, { agent: 'b' }] },
  ]);
  expect(world.read('merged/f.txt')).toBe('C');
});

test('auto leaves it to a person when nobody saw all others', async () => {
  const world = makeWorld([one('a', 'A'), one('b', 'B', ['a']), one('c', 'C', ['a'])], auto);
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'conflict', conflicts_resolved: 0 });
  expect(world.conflicts().conflicts).toHaveLength(1);
  expect(world.has('merged')).toBe(false);
});

test('auto unites JSON objects that disagree in no key', async () => {
  const world = makeWorld(
    [one('a', '{"x":{"y":1},"l":[1]}', [], 'f.json'), one('b', '{"x":{"z":2},"l":[1]}', [], 'f.json')],
    auto,
  );
  const { result } = await world.run();
  expect(result.resolutions).toMatchObject([{ rule: 'json_union', chosen: 'merged', discarded: [] }]);
  expect(JSON.parse(world.read('merged/f.json'))).toEqual({ x: { y: 1, z: 2 }, l: [1] });
  expect(world.record().files.map(file => file.fate)).toEqual(['source', 'source']);
});

test.each([
  ['a key with two values', '{"x":1}', '{"x":2}'],
  ['a number that would be rounded', '{"x":12345678901234567890}', '{"y":1}'],
  ['a key written twice', '{"x":1,"x":2}', '{"y":1}'],
  ['a dangerous key', '{"__proto__":{"x":1}}', '{"y":1}'],
  ['something else than an object', '[1]', '{"y":1}'],
  ['nesting without end', `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`, '{"y":1}'],
])('auto does not unite JSON with %s', async (_what, mine, theirs) => {
  const world = makeWorld([one('a', mine, [], 'f.json'), one('b', theirs, [], 'f.json')], auto);
  expect((await world.run()).result.status).toBe('conflict');
});

test('a choice of a person wins over the rules and finishes the merge', async () => {
  const world = makeWorld([one('a', 'A'), one('b', 'B', ['a'])], auto);
  const id = (await world.run({ strategy: strategyOf('file_merge', 'manual_review') })).result.conflicts[0]!.conflict;
  expect(world.has('conflicts.json')).toBe(true);
  const { result } = await world.run({ taken: { [id]: { agent: 'a' } } });
  expect(result).toMatchObject({ status: 'success', resolutions: [{ conflict: id, rule: 'taken', chosen: 'a' }] });
  expect(world.read('merged/f.txt')).toBe('A');
  expect(world.has('conflicts.json')).toBe(false);
  expect(world.has('merge/conflicts.1.json')).toBe(true);
});

test('a person may take a file of their own, and both sides are kept', async () => {
  const world = makeWorld([one('a', 'A'), one('b', 'B')]);
  const id = (await world.run()).result.conflicts[0]!.conflict;
  put(world.in('mine'), 'MINE');
  const { result } = await world.run({ taken: { [id]: { file: world.in('mine') } } });
  expect(result.resolutions[0]).toMatchObject({
    chosen: world.in('mine'),
    discarded: [{ agent: 'a' }, { agent: 'b' }],
  });
  expect(world.read('merged/f.txt')).toBe('MINE');
});

test('a choice that makes no sense is refused, and what is on the disk stays', async () => {
  const world = makeWorld([one('a', 'A'), one('b', 'B')]);
  const id = (await world.run()).result.conflicts[0]!.conflict;
  const refused = { name: 'Fault', code: 'invalid' };
  await expect(world.run({ taken: { 'c-nothing': { agent: 'a' } } })).rejects.toMatchObject(refused);
  await expect(world.run({ taken: { [id]: { agent: 'z' } } })).rejects.toMatchObject(refused);
  await expect(world.run({ taken: { [id]: { file: world.in('none') } } })).rejects.toMatchObject(refused);
  expect(world.has('conflicts.json')).toBe(true);
});
