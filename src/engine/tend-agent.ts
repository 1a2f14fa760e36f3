// Tends one Claude Code session while its attempt runs: look, decide, write down, act, wait. What to do is
// decided in src/conversation; this file only moves values.

import { setTimeout as sleep } from 'node:timers/promises';
import { leaseHolder } from '../claude/pane-lease.ts';
import { openEar, type SessionEar } from '../claude/session-ear.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import { nextLaunch } from '../conversation/next-launch.ts';
import { type Move, nextMove, type Rules, STILL_MS } from '../conversation/next-move.ts';
import type { Talk } from '../conversation/talk.ts';
import { currentAttempt, type Exit } from '../run/run-state.ts';
import { openPane, type PaneDoor } from '../tmux/pane-door.ts';
import { tmuxSocket } from '../tmux/runtime.ts';
import type { SettledAgent } from './context.ts';
import { type LookState, lookAtSession, newLookState } from './look-at-session.ts';
import { performMove } from './perform-move.ts';
import { readExit } from './read-mark.ts';
import { relaunch } from './relaunch.ts';
import type { TendWorld } from './tend-world.ts';
import { openTranscriptLog } from './transcript-log.ts';

const BEAT_MS = 1000;
const QUICK_BEAT_MS = 250;
const DEAD_LOOKS = 3;

export type Tender = { wake(): void; stop(): Promise<void> };

export function tendAgent(world: TendWorld, agent: SettledAgent): Tender {
  const stopping = new AbortController();
  let ring = () => {};
  const done = tend(world, agent, {
    signal: stopping.signal,
    wait: ms =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, ms);
        ring = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    ring: () => ring(),
  }).catch(error => {
    const why = error instanceof Error ? error.message : String(error);
    if (!stopping.signal.aborted)
      world.giveUp(agent.request.agent_name, { reason: `it could not be tended: ${why}`, mayRetry: true });
  });
  return {
    wake: () => ring(),
    async stop() {
      stopping.abort();
      ring();
      await done;
    },
  };
}

type Beat = { signal: AbortSignal; wait(ms: number): Promise<void>; ring(): void };

async function tend(world: TendWorld, agent: SettledAgent, beat: Beat): Promise<void> {
  const { context, record } = world;
  const name = agent.request.agent_name;
  const run = () => record.state().agents.get(name)!;
  const { attempt } = currentAttempt(run());
  const places = sessionPlaces(context.places.workspace, name, attempt);
  const ear = await openEar({ receipts: places.receipts, now: context.clock.now, onSign: beat.ring });
  const log = await openTranscriptLog(context, places, currentAttempt(run()).logs.stdout);
  const memory = newLookState();
  ear.newPrompts(); // those of before a restart were told by the engine of then
  try {
    while (!beat.signal.aborted && run().state.at === 'running') {
      const { talk, opened } = currentAttempt(run());
      const mark = readExit(places.launchMark(talk.launches.length));
      const exit = mark ?? (memory.deadLooks >= DEAD_LOOKS ? { code: null, signal: null } : null);
      // The watchdog writes down what is left of it; the pane is the engine's again when its lease is over.
      if (exit !== null && opened !== null && (await isLeased(paneOf(opened)))) {
        await beat.wait(QUICK_BEAT_MS);
        continue;
      }
      if (exit !== null) {
        memory.deadLooks = 0;
        await log.take(ear.transcript());
        if (await afterExit(world, agent, { exit, talk, ear })) return;
        continue;
      }
      if (opened !== null)
        await oneBeat(world, agent, { talk, ear, memory, pane: paneOf(opened), signal: beat.signal });
      await log.take(ear.transcript());
      await beat.wait(talk.isReady ? (ear.isTurnOpen() ? BEAT_MS : STILL_MS) : QUICK_BEAT_MS);
    }
  } finally {
    ear.close();
    await log.close(ear.transcript());
    world.live.delete(name);
  }
}

const isLeased = async (pane: PaneDoor): Promise<boolean> => leaseHolder((await pane.look())?.lease ?? null) !== null;

const paneOf = (opened: { pane: string; pid: number }): PaneDoor =>
  openPane({ socket: tmuxSocket(), pane: opened.pane, pid: opened.pid });

type Sight = { talk: Talk; ear: SessionEar; memory: LookState; pane: PaneDoor; signal: AbortSignal };

async function oneBeat(world: TendWorld, agent: SettledAgent, sight: Sight): Promise<void> {
  const seen = await lookAtSession(world, agent, sight);
  if (sight.signal.aborted) return;
  const { talk } = currentAttempt(world.record.state().agents.get(agent.request.agent_name)!);
  const move: Move = nextMove(talk, seen, rulesOf(agent));
  // A gate without an end lasts as long as somebody stands before it: a run that is gone keeps nobody waiting.
  if (talk.isParked && seen.gate?.until === null && seen.gate.reason === talk.parkedReason) world.gate.renew();
  await performMove(world, agent, { ...sight, talk, move });
}

function rulesOf({ config }: SettledAgent): Rules {
  return {
    maxNudges: config.max_nudges,
    readyMs: 60_000,
    permissionMs: config.permission_timeout * 1000,
    stuckMs: config.stuck_timeout * 1000,
    maxCostUsd: config.max_cost_usd ?? null,
  };
}

// true: the attempt is over.
async function afterExit(
  world: TendWorld,
  agent: SettledAgent,
  { exit, talk, ear }: { exit: Exit; talk: Talk; ear: SessionEar },
): Promise<boolean> {
  const name = agent.request.agent_name;
  if (talk.isLeaving) {
    world.exited(name, exit);
    return true;
  }
  const words = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  const launch = nextLaunch(talk, {
    at: world.context.clock.now(),
    exit: words,
    conversation: ear.transcript() === null ? 'gone' : 'alive',
  });
  if (launch.do === 'give_up') {
    world.giveUp(name, { reason: launch.reason, mayRetry: true });
    return true;
  }
  await relaunch(world, agent, launch, ear.transcript());
  await sleep(QUICK_BEAT_MS);
  return false;
}
