import { expect, test } from 'vitest';
import { CtxPack } from '../../src/protocol/ctxpack.ts';
import { type AgentSpec, type Content, makeWorld, pack, put, strategyOf } from './merge-world.ts';

const node = (id: string, content: unknown, more: object = {}) => ({ id, type: 'fact', content, source: 's', ...more });
const edge = (from: string, relation: string, to: string) => ({ from, relation, to });
const one = (name: string, content: Content, after: string[] = []): AgentSpec => {
  return { name, after, outputs: { ctx: { name: 'output.ctxp', tree: content } } };
};
const union = (policy: 'auto' | 'manual_review' = 'manual_review', schema = true, semantic = true) => ({
  strategy: strategyOf('ctxpack_union', policy, { schema_validation: schema, semantic_consistency: semantic }),
});

test('equal nodes become one with all sources and files, and edges are united', async () => {
  const mine = pack([node('n', { a: 1, b: 2 }, { files: ['here.txt'] }), node('m', 'x')], [edge('n', 'supports', 'm')]);
  const theirs = pack(
    [node('n', { b: 2, a: 1 }, { source: ['t', 'u'], files: ['doc.md'] }), node('o', 1)],
    [edge('n', 'supports', 'm'), edge('o', 'part_of', 'n')],
  );
  const world = makeWorld(
    [one('a', mine), one('b', theirs), { name: 'c', outputs: { d: { name: 'doc.md', tree: 'd' } } }],
    union(),
  );
  put(world.in('here.txt'), 'x');
  const { result, warnings } = await world.run();
  expect(result).toMatchObject({
    status: 'success',
    validation_passed: true,
    merged_files: [world.in('merged/doc.md')],
  });
  const merged = CtxPack.parse(JSON.parse(world.read('merged/integrated.ctxp')));
  expect(result.merged_ctxpack).toBe(world.in('merged/integrated.ctxp'));
  expect(merged.nodes.map(({ id }) => id)).toEqual(['n', 'm', 'o']);
  expect(merged.nodes[0]).toMatchObject({ source: ['a: s', 'b: t', 'b: u'], files: ['here.txt', 'doc.md'] });
  expect(merged.edges).toHaveLength(2);
  expect(
    world
      .record()
      .files.map(file => file.fate)
      .sort(),
  ).toEqual(['merged', 'source', 'source']);
  expect(warnings).toMatchObject([{ agent: 'c', severity: 'low' }]);
});

test('different content of one node is a conflict that a person can decide', async () => {
  const world = makeWorld([one('a', pack([node('n', 1)])), one('b', pack([node('n', 2)]))], union());
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'conflict', merged_ctxpack: null, validation_passed: null });
  const [conflict] = world.conflicts().conflicts;
  expect(conflict).toMatchObject({ kind: 'ctxpack_node', path: 'n' });
  expect(conflict!.sides.map(side => JSON.parse(side.content).content)).toEqual([1, 2]);
  const chosen = await world.run({ taken: { [conflict!.id]: { agent: 'b' } } });
  expect(chosen.result.resolutions).toMatchObject([{ path: 'n', rule: 'taken', discarded: [{ agent: 'a' }] }]);
  expect(JSON.parse(world.read('merged/integrated.ctxp')).nodes).toMatchObject([{ content: 2, source: ['b: s'] }]);
  put(world.in('mine.json'), JSON.stringify(node('n', 3)));
  await world.run({ taken: { [conflict!.id]: { file: world.in('mine.json') } } });
  expect(JSON.parse(world.read('merged/integrated.ctxp')).nodes).toMatchObject([{ content: 3 }]);
  put(world.in('bad.json'), JSON.stringify(node('other', 3)));
  const bad = world.run({ taken: { [conflict!.id]: { file: world.in('bad.json') } } });
  await expect(bad).rejects.toMatchObject({ code: 'invalid' });
});

test('auto gives a node to the agent that saw the others', async () => {
  const world = makeWorld([one('a', pack([node('n', 1)])), one('b', pack([node('n', 2)]), ['a'])], union('auto'));
  const { result } = await world.run();
  expect(result.resolutions).toMatchObject([{ rule: 'saw_all', chosen: 'b' }]);
});

test.each([
  ['no JSON', '{'],
  ['an unknown version', '{"ctxpack":2,"nodes":[]}'],
  ['an unknown key', '{"ctxpack":1,"nodes":[],"more":1}'],
  ['a repeated id', pack([node('n', 1), node('n', 1)])],
  ['a dangerous key', '{"ctxpack":1,"nodes":[{"id":"n","type":"t","source":"s","content":{"__proto__":1}}]}'],
  [
    'nesting without end',
    `{"ctxpack":1,"nodes":[{"id":"n","type":"t","source":"s","content":${'['.repeat(9999)}${']'.repeat(9999)}}]}`,
  ],
])('a pack with %s fails a merge with schema_validation and is placed as a file without', async (_what, text) => {
  const world = makeWorld([one('a', text), one('b', pack([node('n', 1)]))], union());
  const strict = (await world.run()).result;
  expect(strict).toMatchObject({ status: 'failed', validation_passed: false });
  expect(strict.findings[0]).toMatchObject({
    check: 'schema_validation',
    source: world.in('outputs/a/ctx/output.ctxp'),
  });
  expect(world.has('merged')).toBe(false);
  const { result, warnings } = await world.run(union('manual_review', false));
  expect(result.status).toBe('success');
  expect(warnings).toMatchObject([{ agent: 'a', severity: 'medium' }]);
  expect(world.list('merged')).toEqual(['integrated.ctxp', 'output.ctxp']);
});

test('semantic_consistency fails the merge, and is not run when it is off', async () => {
  const bad = pack(
    [node('n', 1, { files: ['none.txt', '../../etc/passwd', 'merged/none'] })],
    [edge('n', 'supports', 'gone')],
  );
  const world = makeWorld([one('a', bad)], union());
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'failed', validation_passed: false, merged_ctxpack: null });
  expect(result.findings).toHaveLength(4);
  expect(world.has('merged')).toBe(false);
  const off = await world.run(union('manual_review', true, false));
  expect(off.result).toMatchObject({ status: 'success', validation_passed: true, findings: [] });
  const neither = await world.run(union('manual_review', false, false));
  expect(neither.result.validation_passed).toBeNull();
});

test('packs are united in every strategy, and nothing is validated where there are none', async () => {
  for (const type of ['file_merge', 'report_aggregation'] as const) {
    const strategy = strategyOf(type, 'manual_review');
    const world = makeWorld([one('a', pack([node('n', 1)])), one('b', pack([node('n', 1)]))], { strategy });
    const { result, warnings } = await world.run();
    expect(result.merged_ctxpack).toBe(world.in('merged/integrated.ctxp'));
    expect(warnings).toEqual([]);
    const plain = makeWorld([{ name: 'a', outputs: { x: { name: 'x', tree: 'x' } } }], { strategy });
    expect((await plain.run()).result).toMatchObject({ merged_ctxpack: null, validation_passed: null });
  }
});

test('numbers that differ only beyond a double are not taken for one', async () => {
  const exact = (digits: string) => pack([node('n', 0)]).replace('"content":0', `"content":${digits}`);
  const world = makeWorld([one('a', exact('10000000000000001')), one('b', exact('10000000000000002'))], union());
  expect((await world.run()).result).toMatchObject({ status: 'failed', findings: [{ check: 'schema_validation' }] });
  expect(world.has('merged')).toBe(false);
});

test('a pack may speak of an input that lies outside the workspace', async () => {
  const outside = makeWorld([]);
  put(outside.in('docs/spec.md'), 'x');
  const nodes = [node('n', 1, { files: [outside.in('docs/spec.md')] }), node('m', 1, { files: [outside.in('other')] })];
  const world = makeWorld([one('a', pack(nodes))], union());
  put(outside.in('other'), 'x');
  const { result } = await world.run({ inputs: [{ agent: 'a', path: outside.in('docs') }] });
  expect(result.findings.map(finding => finding.source)).toEqual(['m']);
});
