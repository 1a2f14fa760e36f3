// kill -9 between any two changes of the disk: what stands then breaks no promise, and the merge run again
// ends as if nothing had happened.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { MergeRecord } from '../../src/protocol/conflicts.ts';
import { size } from '../test-size.ts';
import { checkLaw, versionsOf } from './check-law.ts';
import { type AgentSpec, makeWorld, pack, put, strategyOf, type World } from './merge-world.ts';

const program = new URL('./merge-until-killed.ts', import.meta.url).pathname;
const LINES = Array.from({ length: 9 }, (_, i) => `line ${i}`);
const text = (at: number, word: string) => `${LINES.map((line, i) => (i === at ? word : line)).join('\n')}\n`;
const node = { id: 'n', type: 'fact', content: 1, source: 's' };

// Everything at once: a clean merge by git, a conflict, a link, an empty folder, a pack.
const agents = (other: string): AgentSpec[] => [
  {
    name: 'a',
    outputs: {
      code: {
        name: 'code',
        tree: { f: text(0, 'A'), 'd/g': 'same', clash: 'A', l: { link: 'f' }, e: { empty: true } },
      },
      ctx: { name: 'a.ctxp', tree: pack([node]) },
    },
    inputs: ['shared'],
  },
  { name: 'b', outputs: { code: { name: 'code', tree: { f: text(8, 'B'), clash: other } } }, inputs: ['shared'] },
];

function newWorld(policy: 'auto' | 'manual_review' | 'fail_on_conflict', other: string): World {
  const world = makeWorld(agents(other), { strategy: strategyOf('file_merge', policy) });
  put(world.in('shared/f'), `${LINES.join('\n')}\n`);
  put(world.in('merged/old'), 'old');
  return world;
}

function runUntilKilled(world: World, at: number) {
  const input = JSON.stringify({ ...world.input, past: {} });
  return spawnSync(process.execPath, [program, input, String(at)], { encoding: 'utf8', timeout: 30_000 });
}

const shown = (world: World, value: unknown) => JSON.stringify(value).replaceAll(world.workspace, '$W');
const stateOf = (world: World) => [
  world.list('merged'),
  world.list('merge').filter(name => !/^conflicts\.\d+\.json$/.test(name)),
  world.has('conflicts.json') ? shown(world, world.conflicts()) : null,
  shown(world, world.record()),
];

test.each([
  ['that succeeds', 'manual_review', 'A'],
  ['that a rule resolves', 'auto', 'A \n'],
  ['that leaves conflicts to a person', 'manual_review', 'B'],
  ['that fails on conflicts', 'fail_on_conflict', 'B'],
] as const)(
  'a merge %s may be killed at any moment and run again',
  async (_, policy, other) => {
    const calm = newWorld(policy, other);
    const { stdout } = runUntilKilled(calm, Number.MAX_SAFE_INTEGER);
    const changes = Number(stdout);
    expect(changes).toBeGreaterThan(12);
    const goal = stateOf(calm);
    const step = size(Math.ceil(changes / 4), 1);
    for (let at = 1; at <= changes; at += step) {
      const world = newWorld(policy, other);
      const before = versionsOf(world);
      expect(runUntilKilled(world, at).signal, `change ${at}`).toBe('SIGKILL');
      // merged/ is the old one, none, or the whole new one; never a part.
      const left = world.list('merged');
      expect([['old'], [], goal[0]], `change ${at}`).toContainEqual(left);
      if (world.has('merge/record.json')) MergeRecord.parse(world.record());
      const outcome = await world.run();
      checkLaw(world, before, outcome);
      expect(stateOf(world), `change ${at}`).toEqual(goal);
      const kept = world.list('.').filter(name => /^merged\.\d+\/old$/.test(name));
      expect(kept, 'the older result is kept once').toHaveLength(1);
      expect(
        world.list('.').filter(name => /tmp/.test(name)),
        `change ${at}`,
      ).toEqual([]);
    }
  },
  size(180_000, 900_000),
);

test(
  'a merge that was killed while it kept copies leaves no draft behind when it is then finished by a choice',
  async () => {
    const calm = newWorld('manual_review', 'B');
    const changes = Number(runUntilKilled(calm, Number.MAX_SAFE_INTEGER).stdout);
    const [conflict] = calm.conflicts().conflicts;
    let drafts = 0;
    // The first copies are kept after the scratch files of git, a third of the way through.
    for (let at = size(Math.floor(changes / 3), 1); at <= changes && drafts < size(1, changes); at += 1) {
      const world = newWorld('manual_review', 'B');
      const before = versionsOf(world);
      runUntilKilled(world, at);
      if (!world.list('merge').some(name => name.endsWith('.tmp'))) continue;
      drafts += 1;
      const outcome = await world.run({ taken: { [conflict!.id]: { agent: 'b' } } });
      expect(outcome.result.status).toBe('success');
      checkLaw(world, before, outcome);
      expect(
        world.list('.').filter(name => /tmp/.test(name)),
        `change ${at}`,
      ).toEqual([]);
    }
    expect(drafts).toBeGreaterThan(0);
  },
  size(180_000, 900_000),
);
