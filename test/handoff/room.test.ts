// max_concurrent_handoffs: many due at once, few at work; and what only waits takes no place.

import { expect, test } from 'vitest';
import { noteFailure, readBreaker } from '../../watchdog/breaker-file.ts';
import { runHandoff } from '../../watchdog/run-handoff.ts';
import { openSlots } from '../../watchdog/slots.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { simRules, simWorld } from './sim-world.ts';

const WAITS = ['observed', 'quiet', 'awaiting_commit', 'ended'];

// Simulated handoffs that share the places of one machine; `most` is how many were at work at the same moment.
function machine(places: number) {
  const slots = openSlots();
  const atWork = new Set<string>();
  let most = 0;
  const begin = (n: number, autoCommit = true) => {
    const id = `h${n}`;
    const sim = simWorld({ seed: n, crashes: [], chance: 0, script: [], autoCommit }, id);
    const { world } = sim;
    const names: string[] = [];
    const stop = new AbortController();
    const start = { id, pane: id, reason: 'context threshold', sessionId: 's1', tokensBefore: 120_000 } as const;
    const ended = runHandoff(
      {
        ...world,
        room: {
          take: isForced => slots.take(id, isForced ? Number.POSITIVE_INFINITY : places),
          give: () => slots.give(id),
        },
        journal: {
          read: world.journal.read,
          async append(entry) {
            names.push(entry.state.name);
            if (WAITS.includes(entry.state.name)) atWork.delete(id);
            else atWork.add(id);
            most = Math.max(most, atWork.size);
            await world.journal.append(entry);
          },
        },
        // A turn of the loop, so that none runs to its end before the next begins.
        sleep: async (ms, signal) => {
          await world.sleep(ms, signal);
          await new Promise(resolve => setImmediate(resolve));
        },
      },
      simRules(autoCommit),
      start,
      stop.signal,
    );
    return { ended, names, stop, sim };
  };
  return { begin, most: () => most };
}

test('five that are due at the same moment are at work two at a time, and all come to their end', async () => {
  const { begin, most } = machine(2);
  const runs = [11, 12, 13, 14, 15].map(n => begin(n));
  const ends = await Promise.all(runs.map(run => run.ended));
  expect(ends.map(ended => ended?.how)).toEqual(Array(5).fill('closed'));
  expect(most()).toBe(2);
});

test('one that waits for its turn has its lease already', async () => {
  const { begin } = machine(0);
  const { ended, names, stop, sim } = begin(11);
  while (sim.end().mono < 10 * 60_000) await new Promise(resolve => setImmediate(resolve));
  expect(names.at(-1)).toBe('quiet');
  expect(sim.end().lease).toBe(sim.end().epoch);
  expect(sim.end().prompts).toEqual([]);
  stop.abort();
  expect(await ended).toBeNull();
});

test('one that waits for a commit of its user leaves its place to others', async () => {
  const { begin } = machine(1);
  const waiting = begin(11, false);
  while (waiting.names.at(-1) !== 'awaiting_commit') await new Promise(resolve => setImmediate(resolve));
  const other = begin(12);
  expect((await other.ended)?.how).toBe('closed');
  expect(waiting.names.at(-1)).toBe('awaiting_commit');
  waiting.stop.abort();
  await waiting.ended;
});

test('failures that come at the same moment are all counted', async () => {
  const state = tempFolder();
  await Promise.all([noteFailure(state), noteFailure(state)]);
  expect((await readBreaker(state)).failures).toHaveLength(2);
  await noteFailure(state);
  expect((await readBreaker(state)).paused_until).toBeGreaterThan(Date.now());
});
