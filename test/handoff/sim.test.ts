// The handoff under faults: every seed is one handoff with kills, and every invariant is asked of every one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { size } from '../test-size.ts';
import { crashMatrix, planOf, runSim } from './run-sim.ts';
import { invariants, isSameStory } from './sim-checks.ts';
import { type Bug, faultNames, type SimPlan } from './sim-world.ts';

const calm = (seed: number, more: Partial<SimPlan> = {}): SimPlan => ({
  seed,
  crashes: [],
  chance: 0,
  script: [],
  autoCommit: true,
  ...more,
});

test('no invariant breaks in a thousand handoffs with kills and faults', async () => {
  const ends = new Map<string | null, number>();
  for (let seed = 1; seed <= size(1000, 20_000); seed += 1) {
    const { how, violations } = await runSim(planOf(seed));
    expect(violations, `seed ${seed}`).toEqual([]);
    ends.set(how, (ends.get(how) ?? 0) + 1);
  }
  // A world in which nothing happens would keep every invariant too.
  for (const how of ['closed', 'agent_gone', 'finished', 'futile', 'session_changed', 'clear_unproven'])
    expect(ends.get(how), how).toBeGreaterThan(0);
});

test.each(crashMatrix)('$victim killed at $point of "$step" breaks nothing', async crash => {
  for (let seed = 1; seed <= size(3, 25); seed += 1) {
    const { how, violations } = await runSim(calm(seed * 77, { crashes: [crash] }));
    expect(violations).toEqual([]);
    // The agent lives on: then nothing may keep the handoff from its end.
    if (crash.victim === 'watchdog' || crash.victim === 'engine') expect(how).toMatch(/^(closed|futile)$/);
  }
});

test('an engine that dies while it types, whenever that is, keeps no handoff from its end', async () => {
  for (let look = 1; look <= 40; look += 1) {
    const { how, violations } = await runSim(calm(look * 13, { script: [{ look, fault: 'half_typed' }] }));
    expect(violations).toEqual([]);
    expect(how).toMatch(/^(closed|futile)$/);
  }
});

test('every point of the crash matrix is really reached', async () => {
  const reached = new Set<string>();
  for (let seed = 1; seed <= 60; seed += 1)
    for (const crash of crashMatrix.filter(one => one.victim === 'watchdog')) {
      const { happened } = await runSim(calm(seed, { crashes: [crash], chance: 0.05 }));
      for (const one of happened) if (one.what === 'crash') reached.add(one.text!);
      if (reached.size > 60) break;
    }
  for (const step of ['asking', 'archiving', 'fallback', 'committing', 'clearing', 'resuming'])
    for (const point of ['before_intent', 'after_effect', 'after_proof'])
      expect([...reached], `${step} ${point}`).toContain(`${step} ${point} watchdog`);
  for (const step of ['asking', 'clearing', 'resuming']) expect([...reached]).toContain(`${step} mid_effect watchdog`);
});

test('random interleavings of person, agent, engine, clock and kills break nothing', async () => {
  const events = fc.array(
    fc.record({ look: fc.integer({ min: 1, max: 120 }), fault: fc.constantFrom(...faultNames) }),
    {
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), events, fc.boolean(), async (seed, script, autoCommit) => {
      expect((await runSim(calm(seed, { script, autoCommit }))).violations).toEqual([]);
    }),
    { numRuns: size(500, 10_000), seed: 20261118 },
  );
});

test('the same seed tells the same story', async () => {
  for (let seed = 1; seed <= 50; seed += 1)
    expect(isSameStory((await runSim(planOf(seed))).happened, (await runSim(planOf(seed))).happened)).toBe(true);
});

// A checker is believed only once it has caught something.
const planted: [invariant: string, bug: Bug][] = [
  ['I1', 'commit_lies'],
  ['I2', 'clear_unseen'],
  ['I3', 'dialogs_unseen'],
  ['I4', 'lease_lies'],
  ['I6', 'drafts_unseen'],
  ['I6', 'drafts_ours'],
  ['I7', 'all_saved'],
  ['I7', 'marks_believed'],
  ['I9', 'secrets_unseen'],
  ['I10', 'forgets'],
  ['I13', 'prompts_unseen'],
  ['I11', 'never_calm'],
];

test.each(planted)('%s catches the planted bug "%s"', async (invariant, bug) => {
  const caught = new Set<string>();
  for (let seed = 1; seed <= 400 && !caught.has(invariant); seed += 1) {
    const chance = bug === 'never_calm' ? 0 : 0.1; // any other end would hide it
    const { violations } = await runSim({ ...planOf(seed), crashes: [], chance, bug });
    for (const violation of violations) caught.add(violation.split(' ')[0]!);
  }
  expect([...caught]).toContain(invariant);
});

test('I12 catches a world that rolls dice', async () => {
  const [once, again] = [await runSim(calm(5, { bug: 'dice' })), await runSim(calm(5, { bug: 'dice' }))];
  expect(isSameStory(once.happened, again.happened)).toBe(false);
});

test('every invariant has its planted bug', () => {
  const proven = planted.map(([name]) => name);
  expect(Object.keys(invariants).map(name => name.split(' ')[0])).toEqual([...new Set(proven)]);
});
