// Cycles, and what comes before and after one agent.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closure, dependents, findCycle } from '../../src/plan/graph.ts';

const graph = (text: string) =>
  new Map(
    text.split(' ').map(part => {
      const [name, needs = ''] = part.split(':') as [string, string?];
      return [name, needs.split(',').filter(need => need !== '')];
    }),
  );

test.each([
  ['a b c', null],
  ['a:b b:c c', null],
  ['a:b,c b:d c:d d', null],
  ['a:nobody', null],
  ['a:a', ['a']],
  ['a:b b:a', ['a', 'b']],
  ['a:b b:c c:a', ['a', 'b', 'c']],
  ['x:a a:b b:c c:a', ['a', 'b', 'c']],
  ['x y:x a:x,b b:y,c c:b', ['b', 'c']],
])('the first cycle of "%s" is %j', (text, cycle) => {
  expect(findCycle(graph(text))).toEqual(cycle);
});

test('a chain of 100,000 agents exhausts nothing', () => {
  const deps = new Map(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, [`a${index + 1}`]]));
  expect(findCycle(deps)).toBeNull();
  expect(closure(deps, 'a0').size).toBe(100_000);
  expect(dependents(deps, 'a99999')).toHaveLength(99_999);
});

test('closure holds what is needed directly and through others', () => {
  expect([...closure(graph('a:b,c b:d c:d d e'), 'a')].sort()).toEqual(['b', 'c', 'd']);
  expect([...closure(graph('a:b b'), 'b')]).toEqual([]);
  expect([...closure(graph('a:b b:a'), 'a')].sort()).toEqual(['a', 'b']);
});

test('dependents are told in the order of the request', () => {
  expect(dependents(graph('z:m m:a a y:z b'), 'a')).toEqual(['z', 'm', 'y']);
  expect(dependents(graph('a:b b:a'), 'a')).toEqual(['b']);
  expect(dependents(graph('a b'), 'a')).toEqual([]);
});

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const anyGraph = fc
  .array(fc.subarray(names), { minLength: names.length, maxLength: names.length })
  .map(needs => new Map(names.map((name, index) => [name, needs[index]!])));

test('a cycle is told exactly when some agent needs itself, and every step of it is a dependency', () => {
  fc.assert(
    fc.property(anyGraph, deps => {
      const cycle = findCycle(deps);
      expect(cycle !== null).toBe(names.some(name => closure(deps, name).has(name)));
      cycle?.forEach((name, index) => {
        expect(deps.get(name)).toContain(cycle[(index + 1) % cycle.length]);
      });
      if (cycle !== null) expect(new Set(cycle).size).toBe(cycle.length);
    }),
  );
});

test('b is in the closure of a exactly when a is a dependent of b', () => {
  fc.assert(
    fc.property(anyGraph, fc.constantFrom(...names), fc.constantFrom(...names), (deps, a, b) => {
      if (a !== b) expect(closure(deps, a).has(b)).toBe(dependents(deps, b).includes(a));
    }),
  );
});
