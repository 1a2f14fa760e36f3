import { expect, test } from 'vitest';
import { graphRows } from '../../src/plan/graph-rows.ts';
import { wavesOf } from '../../src/plan/waves.ts';

const deps = (value: Record<string, string[]>) => new Map(Object.entries(value));
const drawn = (value: Record<string, string[]>) =>
  graphRows(deps(value)).map(({ picture, name }) => `${picture}  ${name}`);

test('agents stand in the first wave in which all they need has run', () => {
  expect(wavesOf(deps({ d: ['b', 'c'], b: ['a'], c: ['a'], a: [], e: [] }))).toEqual({
    waves: [['a', 'e'], ['b', 'c'], ['d']],
    never: [],
  });
});

test('a circle and all behind it never run, and everything else does', () => {
  expect(wavesOf(deps({ a: [], b: ['c'], c: ['b'], d: ['c', 'a'] }))).toEqual({
    waves: [['a']],
    never: ['b', 'c', 'd'],
  });
});

test('a need that no agent is called keeps nobody waiting here', () => {
  expect(wavesOf(deps({ a: ['ghost'] })).waves).toEqual([['a']]);
});

test('a diamond is drawn with a lane for everybody who is waited for', () => {
  expect(drawn({ plan: [], back: ['plan'], front: ['plan'], join: ['back', 'front'] })).toEqual([
    '●  plan',
    '├─●  back',
    '╰─│─●  front',
    '●─┴─╯  join',
  ]);
});

test('a line that only passes a lane leaves it whole, and a free lane is used again', () => {
  expect(drawn({ a: [], b: [], c: ['a'], d: ['b'], e: ['c', 'd'] })).toEqual([
    '●  a',
    '│ ●  b',
    '╰─│─●  c',
    '●─╯ │  d',
    '╰─●─╯  e',
  ]);
});

test('forty agents in a row stay narrow', () => {
  const chain = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}`, at === 0 ? [] : [`n${at - 1}`]]));
  const rows = graphRows(deps(chain));
  expect(rows).toHaveLength(40);
  expect(Math.max(...rows.map(({ picture }) => picture.length))).toBe(3);
});
