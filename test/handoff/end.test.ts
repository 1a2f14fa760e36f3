// The end of a handoff leaves nothing behind: its record, its alert and the lease are seen to until they are done.

import { expect, test } from 'vitest';
import type { Effect } from '../../src/handoff/handoff-types.ts';
import { type HandoffWorld, runHandoff } from '../../watchdog/run-handoff.ts';
import { simRules, simWorld } from './sim-world.ts';

const start = { id: 'h11', pane: 'a', reason: 'context threshold', sessionId: 's1', tokensBefore: 120_000 } as const;

// A world in which each of these deeds comes to nothing a few times.
function failing(times: Partial<Record<Effect['do'], number>>) {
  const sim = simWorld({ seed: 11, crashes: [], chance: 0, script: [], autoCommit: true }, 'h11');
  const left = { ...times };
  const world: HandoffWorld = {
    ...sim.world,
    async act(effect, state) {
      if (state.name === 'ended' && (left[effect.do] ?? 0) > 0) {
        left[effect.do]! -= 1;
        return { did: 'unsure', why: 'no answer' };
      }
      return sim.world.act(effect, state);
    },
  };
  return { sim, world };
}

test('a lease that tmux did not take back, and a record that found no room, are tried again until they are done', async () => {
  const { sim, world } = failing({ release: 3, record: 5 });
  expect((await runHandoff(world, simRules(true), start, new AbortController().signal))?.how).toBe('closed');
  expect(sim.end().lease).toBeNull();
  expect(sim.happened.filter(({ what }) => what === 'record')).toHaveLength(1);
  expect((await world.journal.read()).at(-1)).toMatchObject({ kind: 'proof', state: { name: 'ended' } });
});

test('told to stop meanwhile, it is left to the next start', async () => {
  const { sim, world } = failing({ release: 2 });
  const stop = new AbortController();
  const stopping: HandoffWorld = {
    ...world,
    async act(effect, state) {
      if (effect.do === 'release') stop.abort();
      return world.act(effect, state);
    },
  };
  expect(await runHandoff(stopping, simRules(true), start, stop.signal)).toBeNull();
  expect(sim.end().lease).not.toBeNull();
  expect((await runHandoff(world, simRules(true), start, new AbortController().signal))?.how).toBe('closed');
  expect(sim.end().lease).toBeNull();
});
