import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOutputs } from '../../src/merge/place-outputs.ts';
import type { MergeType } from '../../src/protocol/request.ts';

const place = (type: MergeType, ...outputs: [agent: string, key: string, name: string][]) => {
  const list = outputs.map(([agent, key, name]) => ({ agent, key, name }));
  const places = placeOutputs(list, type);
  return list.map(output => places.get(output));
};

test('a name used once goes to merged/<name>', () => {
  expect(place('ctxpack_union', ['a', 'x', 'code'], ['b', 'x', 'review.md'])).toEqual(['code', 'review.md']);
});

test('a name used by several agents goes below each agent, or to one tree in file_merge', () => {
  const outputs = [['a', 'x', 'code'] as const, ['b', 'x', 'code'] as const].map(one => [...one]) as [
    string,
    string,
    string,
  ][];
  expect(place('ctxpack_union', ...outputs)).toEqual(['a/code', 'b/code']);
  expect(place('report_aggregation', ...outputs)).toEqual(['a/code', 'b/code']);
  expect(place('file_merge', ...outputs)).toEqual(['code', 'code']);
});

test('a second output of the same agent and name stands beside the first', () => {
  expect(place('file_merge', ['a', 'x', 'code'], ['a', 'y', 'code'])).toEqual(['code', 'a/code']);
  expect(place('ctxpack_union', ['a', 'x', 'code'], ['a', 'y', 'code'], ['a', 'z', 'code'])).toEqual([
    'code',
    'a/code',
    'a/z/code',
  ]);
});

test('an output named like an agent does not swallow the folder of that agent', () => {
  const places = place('ctxpack_union', ['b', 'x', 'a'], ['a', 'x', 'code'], ['b', 'y', 'code']);
  expect(places).toEqual(['a', 'a.2/code', 'b/code']);
});

test('the files of the merge itself are never overwritten', () => {
  expect(place('report_aggregation', ['a', 'x', 'report.md'], ['a', 'y', 'index.json'])).toEqual([
    'a/report.md',
    'a/index.json',
  ]);
  expect(place('ctxpack_union', ['a', 'x', 'report.md'], ['a', 'y', 'integrated.ctxp'])).toEqual([
    'report.md',
    'a/integrated.ctxp',
  ]);
  expect(place('file_merge', ['a', 'x', 'integrated.ctxp'], ['b', 'y', 'integrated.ctxp'])).toEqual([
    'integrated.ctxp.2',
    'integrated.ctxp.2',
  ]);
});

test('no two places are equal or inside one another, whatever the names', () => {
  const name = fc.constantFrom('a', 'b', 'a.2', 'a.3', 'code', 'x', 'report.md', 'integrated.ctxp');
  const output = fc.record({
    agent: fc.constantFrom('a', 'b', 'code'),
    key: fc.constantFrom('a', 'b', 'x', 'y', 'z'),
    name,
  });
  const outputs = fc.uniqueArray(output, { selector: one => `${one.agent}/${one.key}`, maxLength: 12 });
  const types = fc.constantFrom<MergeType>('file_merge', 'ctxpack_union', 'report_aggregation');
  fc.assert(
    fc.property(outputs, types, (list, type) => {
      const places = placeOutputs(list, type);
      for (const one of list) {
        expect(places.get(one)).toBeDefined();
        expect(['integrated.ctxp']).not.toContain(places.get(one));
        for (const other of list) {
          if (one === other) continue;
          const [mine, theirs] = [places.get(one)!, places.get(other)!];
          const mayShare = type === 'file_merge' && one.name === other.name && one.agent !== other.agent;
          if (!mayShare) expect(mine).not.toBe(theirs);
          expect(theirs.startsWith(`${mine}/`)).toBe(false);
        }
      }
    }),
  );
});
