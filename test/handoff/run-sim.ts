// Runs one simulated handoff through all its crashes and restarts, and asks every invariant.

import { runHandoff } from '../../watchdog/run-handoff.ts';
import { type Happening, violationsOf } from './sim-checks.ts';
import { Crash, type CrashPoint, type SimPlan, simRules, simWorld, type Victim } from './sim-world.ts';

export type SimResult = {
  how: string | null;
  why: string;
  happened: Happening[];
  violations: string[];
  final: ReturnType<ReturnType<typeof simWorld>['end']>;
};

const MOST_RESTARTS = 60;
const MOST_MS = 8 * 60 * 60_000;

export async function runSim(plan: SimPlan): Promise<SimResult> {
  const id = `h${plan.seed}`;
  const sim = simWorld(plan, id);
  const rules = simRules(plan.autoCommit);
  const start = { id, pane: 'agent a', reason: 'context threshold', sessionId: 's1', tokensBefore: 120_000 } as const;
  const signal = new AbortController();
  const { world } = sim;
  const bounded = {
    ...world,
    sleep: async (ms: number, stop: AbortSignal) => {
      if (sim.end().mono > MOST_MS) signal.abort();
      await world.sleep(ms, stop);
    },
  };
  let how: string | null = null;
  let why = '';
  for (let restarts = 0; restarts < MOST_RESTARTS; restarts += 1) {
    try {
      const ended = await runHandoff(bounded, rules, start, signal.signal);
      how = ended?.how ?? null;
      why = ended?.why ?? '';
      break;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      sim.restart();
    }
  }
  const final = sim.end();
  return {
    how,
    why,
    happened: sim.happened,
    violations: violationsOf(sim.happened, { how, tookMs: final.mono }),
    final,
  };
}

const steps = [
  'observed',
  'quiet',
  'ordered',
  'archiving',
  'asking',
  'writing',
  'fallback',
  'committing',
  'committed',
  'clearing',
  'resuming',
  'settling',
  'ended',
];
const points: CrashPoint['point'][] = ['before_intent', 'after_intent', 'mid_effect', 'after_effect', 'after_proof'];
const victims: Victim[] = ['watchdog', 'engine', 'claude', 'tmux'];

export const crashMatrix: CrashPoint[] = steps.flatMap(step =>
  points.flatMap(point => victims.map(victim => ({ step, point, victim }))),
);

// Every point of the matrix comes round; every third seed has a second kill, every fourth no other fault at all.
export function planOf(seed: number): SimPlan {
  const crashes = [crashMatrix[seed % crashMatrix.length]!];
  if (seed % 3 === 0) crashes.push(crashMatrix[(seed * 31) % crashMatrix.length]!);
  return { seed, crashes, chance: [0, 0.03, 0.03, 0.15][seed % 4]!, script: [], autoCommit: seed % 11 !== 0 };
}
