// kill -9 of watchdog, engine, Claude Code and tmux at the points of a handoff's journal, all of them real.

import { describe, expect, test } from 'vitest';
import { isFull } from '../test-size.ts';
import type { Kill } from './fault-checks.ts';
import { allKills, runKill } from './faults-world.ts';

const few = ['watchdog clearing:effect', 'engine committing:effect', 'claude asking:proof'];
const nameOf = ({ victim, at }: Kill) => `${victim} ${at}`;
const kills = isFull ? allKills : allKills.filter(kill => few.includes(nameOf(kill)));

describe.concurrent('nothing is lost, said or cleared twice', () => {
  test.each(kills)('when $victim is killed at $at', { timeout: 400_000 }, async kill => {
    expect(await runKill(kill)).toEqual([]);
  });
});

test('the whole matrix has a hundred kills', () => {
  expect(allKills.length).toBeGreaterThanOrEqual(100);
  expect(kills).toHaveLength(isFull ? allKills.length : few.length);
});
