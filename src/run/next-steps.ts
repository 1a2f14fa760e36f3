// What the engine does next: a pure function of the run and of a few facts about the world.

import type { AgentRun, Attempt, RunState, StopCause } from './run-state.ts';

export type Step =
  | { do: 'expire'; seconds: number }
  | { do: 'hold_back'; reason: string | null }
  | { do: 'give_up'; reason: string }
  | { do: 'start'; agent: string; attempt: number }
  | { do: 'stop'; agent: string; cause: StopCause }
  | { do: 'skip'; agent: string; reason: string }
  | { do: 'finish' };

export type WorldFacts = {
  now: number;
  freeSlots: number; // panes left under the limit shared with other executions
  diskComplaint: string | null;
  gated: { agents: ReadonlySet<string>; reason: string } | null; // whose account takes no requests now
};

export function nextSteps(state: RunState, facts: WorldFacts): Step[] {
  if (state.ended) return [];
  const limit = state.request.execution_options.total_timeout;
  if (state.ending === null && limit !== undefined && facts.now >= state.openedAt + limit * 1000 && isOpen(state)) {
    return [{ do: 'expire', seconds: limit }];
  }
  const runs = [...state.agents.values()];
  const steps = state.ending === null ? goOn(state, runs, facts) : windUp(state.ending, runs);
  if (runs.every(run => run.state.at === 'ended')) steps.push({ do: 'finish' });
  return steps;
}

const isOpen = (state: RunState): boolean => [...state.agents.values()].some(run => run.state.at !== 'ended');

function windUp(ending: 'cancelled' | 'timeout', runs: AgentRun[]): Step[] {
  const cause: StopCause = ending === 'cancelled' ? 'cancelled' : 'total_timeout';
  const reason = ending === 'cancelled' ? 'the execution was cancelled' : 'the execution ran out of time';
  return runs.flatMap((run): Step[] => {
    if (run.state.at === 'running' || run.state.at === 'verifying') return [{ do: 'stop', agent: nameOf(run), cause }];
    return run.state.at === 'pending' ? [{ do: 'skip', agent: nameOf(run), reason }] : [];
  });
}

function goOn(state: RunState, runs: AgentRun[], facts: WorldFacts): Step[] {
  const steps: Step[] = [];
  let free = Math.min(facts.freeSlots, state.request.execution_options.parallel_limit - runs.filter(isBusy).length);
  let wanted = 0;
  let gated = 0;
  for (const run of runs) {
    if (isOverTime(run, facts.now)) steps.push({ do: 'stop', agent: nameOf(run), cause: 'timeout' });
    if (run.state.at !== 'pending') continue;
    const failed = failedDependency(state, run);
    if (failed !== null) {
      steps.push({ do: 'skip', agent: nameOf(run), reason: failed });
      continue;
    }
    if (run.state.notBefore > facts.now || !dependenciesMet(state, run)) continue;
    if (facts.gated?.agents.has(nameOf(run))) {
      gated++;
      continue;
    }
    wanted++;
    if (state.isPaused || facts.diskComplaint !== null || free <= 0) continue;
    free--;
    steps.push({ do: 'start', agent: nameOf(run), attempt: run.attempts.length + 1 });
  }
  // Only a complaint that really keeps somebody waiting is worth telling, and once: its figures change all the time.
  const disk = wanted > 0 ? facts.diskComplaint : null;
  const heldBack = disk ?? (gated > 0 ? (facts.gated?.reason ?? null) : null);
  if ((heldBack === null) !== (state.heldBack === null)) steps.push({ do: 'hold_back', reason: heldBack });
  const isStuck = disk !== null && !runs.some(isBusy);
  if (isStuck && state.heldBack !== null && facts.now >= state.heldBack.since + DISK_PATIENCE_MS)
    steps.push({ do: 'give_up', reason: `gave up after ${DISK_PATIENCE_MS / 60_000} minutes: ${disk}` });
  return steps;
}

// Somebody may be making room.
const DISK_PATIENCE_MS = 10 * 60 * 1000;

// When something becomes due although nothing happens: a timeout, or the end of a back-off.
export function nextWake(state: RunState): number {
  const limit = state.request.execution_options.total_timeout;
  const times = [...state.agents.values()].map(run => {
    if (run.state.at === 'running') return overTimeAt(run, run.state.now);
    return run.state.at === 'pending' && run.state.notBefore > 0 ? run.state.notBefore : Number.POSITIVE_INFINITY;
  });
  if (state.ending === null && limit !== undefined) times.push(state.openedAt + limit * 1000);
  return Math.min(...times);
}

// Full jitter is not needed: the retried thing is a program of the user's, not a shared service.
const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const MAX_EXCUSED = 8;

export function retryAt(run: AgentRun, options: RunState['request']['execution_options'], now: number): number | null {
  const last = run.attempts.at(-1);
  if (!last || last.outcome.status === 'success' || !last.outcome.may_retry || !options.retry_on_failure) return null;
  const tries = run.attempts.slice(run.triesFrom);
  // A closed account is waited out, not held against the agent; but not for ever.
  const excused = Math.min(tries.filter(({ outcome }) => outcome.refused).length, MAX_EXCUSED);
  const retries = tries.length - excused;
  if (retries > options.max_retries) return null;
  return now + Math.min(BACKOFF_MS * 2 ** Math.max(0, retries - 1), MAX_BACKOFF_MS);
}

const nameOf = (run: AgentRun): string => run.request.agent_name;
export const isBusy = (run: AgentRun): boolean => 'now' in run.state;

const isOverTime = (run: AgentRun, now: number): boolean =>
  run.state.at === 'running' && now >= overTimeAt(run, run.state.now);

// The clock of an agent that is parked or has asked a person stands still: it cannot work, and that is not its
// fault. But a question nobody answers does not keep an execution open for ever.
function overTimeAt(run: AgentRun, { startedAt, talk }: Attempt): number {
  if (talk.isParked) return Number.POSITIVE_INFINITY;
  const limit = startedAt + talk.stoodMs + run.request.timeout * 1000;
  return talk.standsSince === null ? limit : limit + QUESTION_PATIENCE_MS;
}

const QUESTION_PATIENCE_MS = 24 * 60 * 60 * 1000;

function dependenciesMet(state: RunState, run: AgentRun): boolean {
  return run.request.dependencies.every(name => {
    const other = state.agents.get(name)!.state;
    return other.at === 'ended' && other.status === 'success';
  });
}

function failedDependency(state: RunState, run: AgentRun): string | null {
  for (const name of run.request.dependencies) {
    const other = state.agents.get(name)!.state;
    if (other.at === 'ended' && other.status !== 'success')
      return `it depends on "${name}", which ended as ${other.status}`;
  }
  return null;
}
