import { expect, test } from 'vitest';
import { checkConsistency, checkCtxPack, readCtxPack } from '../../src/merge/check-ctxpack.ts';

const packOf = (...edges: string[]) => ({
  ctxpack: 1 as const,
  nodes: ['a', 'b', 'c'].map(id => ({ id, type: 'fact', content: id, source: 's' })),
  edges: edges.map(edge => {
    const [from, relation, to] = edge.split(' ');
    return { from: from!, relation: relation!, to: to! };
  }),
});
const findingsOf = (...edges: string[]) =>
  checkConsistency(packOf(...edges), () => true).map(finding => finding.message);

test.each([
  [['a depends_on b', 'b depends_on c', 'a depends_on c']],
  [['a supports b', 'b supports a']],
  [['a requires b', 'b requires a']],
  [['a before b', 'b after a']],
  [['a constructor b', 'a toString b']],
])('%j makes sense', edges => {
  expect(findingsOf(...edges)).toEqual([]);
});

test.each([
  [['a supports gone'], 'hangs'],
  [['a supports b', 'a contradicts b'], 'both cannot be true'],
  [['a supports b', 'b contradicts a'], 'both cannot be true'],
  [['b supported_by a', 'a contradicts b'], 'both cannot be true'],
  [['a requires b', 'b excludes a'], 'both cannot be true'],
  [['a contradicts a'], 'against itself'],
  [['a before b', 'b before a'], 'circle: a → b → a'],
  [['a before b', 'a after b'], 'circle: a → b → a'],
  [['a depends_on b', 'b depends_on c', 'c depends_on a'], 'circle: a → b → c → a'],
  [['a part_of a'], 'circle: a → a'],
])('%j does not make sense', (edges, message) => {
  const findings = findingsOf(...edges);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(message);
});

test('a file that does not exist is named with its node', () => {
  const pack = packOf();
  const nodes = [{ ...pack.nodes[0]!, files: ['here', 'gone'] }];
  const findings = checkConsistency({ ...pack, nodes }, file => file === 'here');
  expect(findings).toMatchObject([{ check: 'semantic_consistency', severity: 'error', source: 'a' }]);
  expect(findings[0]!.message).toContain('"gone"');
});

test('a circle in a very long chain is found, and a long list of findings is cut short', () => {
  const ids = Array.from({ length: 50_000 }, (_, i) => `n${i}`);
  const nodes = ids.map(id => ({ id, type: 't', content: '', source: 's' }));
  const edges = ids.map((from, i) => ({ from, relation: 'before', to: ids[(i + 1) % ids.length]! }));
  expect(checkConsistency({ ctxpack: 1, nodes, edges }, () => true)).toHaveLength(1);
  expect(checkConsistency({ ctxpack: 1, nodes: [], edges }, () => true).length).toBeLessThan(60);
});

test('all problems of a pack are told at once, each with its place', () => {
  const { pack, findings } = checkCtxPack(
    { ctxpack: 1, nodes: [{ id: '', type: 't', content: 1 }], edges: 3 },
    'x.ctxp',
  );
  expect(pack).toBeNull();
  expect(findings.map(finding => finding.message.split(':')[0])).toEqual(['nodes[0].id', 'nodes[0].source', 'edges']);
  expect(findings.every(finding => finding.source === 'x.ctxp')).toBe(true);
});

test('a valid pack is given back with its defaults', () => {
  expect(checkCtxPack({ ctxpack: 1, nodes: [] }, 'x').pack).toEqual({ ctxpack: 1, nodes: [], edges: [] });
});

const fileOf = (content: string) =>
  Buffer.from(`{"ctxpack":1,"nodes":[{"id":"n","type":"fact","content":${content},"source":"s"}]}`);

test.each([
  '0.1', '-0', '1.50e3', '1e21', '5e-324', '9007199254740991', '"12345678901234567890"', '"a\\\\\\": 1"', '{"":{"a":[{}]}}',
  '{"a":1,"b":{"a":1}}', '"\\\\"', '[]', '"\\u00e9"',
])('a node with content %s is read as it is written', content => {
  expect(readCtxPack(fileOf(content), 'x').findings).toEqual([]);
}); // biome-ignore format: a table

test.each([
  ['12345678901234567890', /would be rounded/],
  ['0.1234567890123456789', /would be rounded/],
  ['1e999', /would be rounded/],
  ['[-9007199254740993]', /-9007199254740993, which would be rounded/],
  ['{"a":1,"a":2}', /one key twice/],
  ['{"a":1,"\\u0061":1}', /one key twice/],
  ['{"a" : {}, "b": [{"c":1 ,"c" :1}]}', /one key twice/],
])('a node with content %s would change by being read, and is refused', (content, expected) => {
  const { pack, findings } = readCtxPack(fileOf(content), 'x');
  expect(pack).toBeNull();
  expect(findings).toMatchObject([{ check: 'schema_validation', message: expect.stringMatching(expected) }]);
});

test('a pack of megabytes is judged without running out of stack', () => {
  const long = JSON.stringify('\\"'.repeat(1_500_000));
  expect(readCtxPack(fileOf(long), 'x').findings).toEqual([]);
  expect(readCtxPack(fileOf(`"${'x'.repeat(9_000_000)}"`), 'x').findings[0]?.message).toMatch(/larger than 8 MB/);
});
