// The law of the merge on random cases of each type; a thousand of each in the full run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MergeType } from '../../src/protocol/request.ts';
import { size } from '../test-size.ts';
import { checkLaw, versionsOf } from './check-law.ts';
import { makeWorld, put, removeWorlds, strategyOf } from './merge-world.ts';
import { BASE, type RandomCase, randomCase } from './random-case.ts';

const numRuns = size(60, 1000);

async function tryCase(type: MergeType, { agents, policy, validation, pick }: RandomCase, seen: Map<string, number>) {
  const world = makeWorld(agents, { strategy: strategyOf(type, policy, validation) });
  for (const name of ['f.txt', 'd/f.txt', 'notes.md']) put(world.in('shared', name), BASE);
  const before = versionsOf(world);
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  try {
    const outcome = await world.run();
    checkLaw(world, before, outcome);
    count(outcome.result.status);
    if (world.has('merge/record.json')) for (const { fate } of world.record().files) count(`fate ${fate}`);
    for (const { rule } of outcome.result.resolutions) count(rule);
    if (outcome.result.status !== 'conflict') return;
    const picks = outcome.result.conflicts.map(({ conflict, agents: sides }) => {
      return [conflict, { agent: sides[pick % sides.length]! }] as const;
    });
    const finished = await world.run({ taken: Object.fromEntries(picks) }).catch(error => {
      // One agent may have two packs that disagree; its name alone is then no choice.
      expect(error.message).toContain('several versions');
    });
    if (!finished) return;
    checkLaw(world, before, finished);
    expect(finished.result.status).not.toBe('conflict');
    count(`taken, then ${finished.result.status}`);
  } finally {
    removeWorlds();
  }
}

test.each<MergeType>(['file_merge', 'ctxpack_union', 'report_aggregation'])(
  '%s never loses a version, and its record tells the truth',
  { timeout: 60_000 + numRuns * 1000 },
  async type => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(randomCase(type), one => tryCase(type, one, seen)),
      { numRuns },
    );
    // The law says nothing if nothing happened.
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['success', 'conflict']));
    if (process.env.BATON_SHOW_TIMES) console.log(type, Object.fromEntries(seen));
  },
);
