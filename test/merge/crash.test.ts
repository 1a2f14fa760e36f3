import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeWorld, put, strategyOf, versionAt } from './merge-world.ts';

const agents = [
  { name: 'a', outputs: { o: { name: 'f', tree: 'A' }, p: { name: 'p', tree: { x: 'x' } } } },
  { name: 'b', after: ['a'], outputs: { o: { name: 'f', tree: 'B' } } },
];
const strategy = strategyOf('file_merge', 'auto');

test('what a merge that was cut off left behind does not disturb the next one', async () => {
  const world = makeWorld(agents, { strategy });
  const first = await world.run();
  const [merged, record] = [world.list('merged'), world.record()];
  put(world.in('merged.tmp/junk'), 'junk');
  put(world.in('merge/tmp-abc/mine'), 'junk');
  put(world.in('merge/record.json.tmp'), '{');
  const second = await world.run();
  expect(second).toEqual(first);
  expect(world.list('merged')).toEqual(merged);
  expect(world.record()).toEqual(record);
  expect(world.list('.').filter(name => name.includes('tmp'))).toEqual([]);
});

test('an older merged/ is moved aside, also when nothing can be merged now', async () => {
  const world = makeWorld(agents, { strategy });
  put(world.in('merged/old'), 'old');
  await world.run();
  expect(world.read('merged.1/old')).toBe('old');
  await world.run({ strategy: strategyOf('file_merge', 'fail_on_conflict') });
  expect(world.has('merged')).toBe(false);
  expect(world.list('merged.2')).toEqual(['f', 'p/x']);
});

test('a kept copy that somebody spoiled is written again', async () => {
  const world = makeWorld(agents, { strategy });
  const sha256 = createHash('sha256').update('A').digest('hex');
  put(world.in('merge/kept', sha256), 'spoiled');
  await world.run();
  expect(String(versionAt(world.in('merge/kept', sha256)).bytes)).toBe('A');
});

test('without a successful agent nothing is merged and nothing is written', async () => {
  const world = makeWorld([]);
  expect((await world.run()).result).toMatchObject({ status: 'skipped', record: null });
  expect(world.list('.')).toEqual([]);
});

test('a hundred agents with one small output each are merged quickly', async () => {
  const many = Array.from({ length: 100 }, (_, i) => ({
    name: `a${i}`,
    outputs: { o: { name: 'out.md', tree: `text ${i}` } },
  }));
  const world = makeWorld(many, { strategy: strategyOf('ctxpack_union', 'manual_review') });
  const start = performance.now();
  expect((await world.run()).result.status).toBe('success');
  const spentMs = performance.now() - start;
  // Measured at a fraction of this; the room is for a machine that is busy with other tests.
  expect(spentMs).toBeLessThan(1000);
  if (process.env.BATON_SHOW_TIMES) console.log(`100 agents merged in ${spentMs.toFixed(1)} ms`);
  expect(world.list('merged')).toHaveLength(100);
});
