// The end of an attempt, whichever way it came: its processes are gone, its session closed, its logs
// free of secrets, its results verified.

import { setTimeout as sleep } from 'node:timers/promises';
import { endTree, membersOf, type TreeRoot } from '../process/end-tree.ts';
import { readProcess, recentProcesses } from '../process/process-table.ts';
import type { AttemptOutcome } from '../protocol/event.ts';
import { type AgentRun, type Attempt, currentAttempt, type Exit, type StopCause } from '../run/run-state.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { marksOf } from './prepare-attempt.ts';
import { readExit } from './read-mark.ts';
import { verifyAttempt } from './verify-attempt.ts';

const GRACE_MS = 5000;
// After the agent its two `tee` empty their pipes; a child it left behind keeps them open for ever.
const DRAIN_MS = 500;
const LOOK_MS = 10;
const TABLE_AGE_MS = 30;

export type EndWorld = { context: EngineContext; closeSession: (session: string) => Promise<void> };
export type EndOptions = { run: AgentRun; exit: Exit | null; stopped: StopCause | null; signal: AbortSignal };

export async function endAttempt(world: EndWorld, agent: SettledAgent, o: EndOptions): Promise<AttemptOutcome> {
  const { context } = world;
  const now = currentAttempt(o.run);
  const name = agent.request.agent_name;
  const places = attemptPlaces(context.places.workspace, name, now.attempt);
  const root = rootOf(context, agent, now);
  if (o.stopped === null) await drain(root);
  if (o.stopped !== null || membersOf(root, recentProcesses(TABLE_AGE_MS)).length > 0) await endTree(root, GRACE_MS);
  const exit = o.exit ?? readExit(places.mark) ?? { code: null, signal: null };
  const peakMemoryMb = context.memory.take(name);
  await world.closeSession(now.session);
  const logs = [places.logs.stdout, places.logs.stderr, `${context.places.tmux}/${now.session}.log`];
  await Promise.all(logs.map(file => context.redactor.file(file).catch(() => false)));
  return verifyAttempt(context, agent, { now, exit, stopped: o.stopped, peakMemoryMb, signal: o.signal });
}

function rootOf(context: EngineContext, agent: SettledAgent, now: Attempt): TreeRoot {
  const marks = marksOf(context, agent, now.attempt);
  return now.opened ? { pid: now.opened.pid, start: now.opened.pidStart, marks } : { pid: -1, start: '', marks };
}

async function drain(root: TreeRoot): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  while (readProcess(root.pid)?.start === root.start && performance.now() < until) {
    if (readProcess(root.pid)?.isZombie) return;
    await sleep(LOOK_MS);
  }
}
