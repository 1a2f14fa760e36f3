// Does what was decided for one Claude Code session, and writes down what the world showed for it.

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { denyQuestion } from '../claude/answer.ts';
import { type Delivery, deliver } from '../claude/deliver.ts';
import { isAwaited, PaneBusy, withPane } from '../claude/pane-lock.ts';
import { runSlash } from '../claude/run-slash.ts';
import type { SessionEar } from '../claude/session-ear.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import { wipeLeftover } from '../claude/wipe-leftover.ts';
import { iso } from '../clock/clock.ts';
import type { Move } from '../conversation/next-move.ts';
import { againPrompt, nudgePrompt, recoveryPrompt, taskPrompt } from '../conversation/prompts.ts';
import type { Talk } from '../conversation/talk.ts';
import type { Purpose } from '../protocol/event.ts';
import { currentAttempt } from '../run/run-state.ts';
import type { PaneDoor } from '../tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';
import type { SettledAgent } from './context.ts';
import { type LookState, promptHash } from './look-at-session.ts';
import { relaunch } from './relaunch.ts';
import { readTask } from './session-launch.ts';
import type { TendWorld } from './tend-world.ts';
import { lookAtContract } from './verify-attempt.ts';

// Long enough for a delivery under way; after that the pane is looked at anew.
const LOCK_MS = 5000;
const READY_MS = 5000;
// A prompt that twice did not arrive will not arrive a third time: something is in the way that nobody knows.
const MAX_MISSED = 3;

export type Doing = {
  talk: Talk;
  ear: SessionEar;
  memory: LookState;
  pane: PaneDoor;
  signal: AbortSignal;
  move: Move;
};

export async function performMove(world: TendWorld, agent: SettledAgent, doing: Doing): Promise<void> {
  const name = agent.request.agent_name;
  const now = currentAttempt(world.record.state().agents.get(name)!);
  const { attempt } = now;
  const { move } = doing;
  switch (move.do) {
    case 'nothing':
      return;
    case 'greet': {
      const took_ms = Math.round(world.context.clock.now() - doing.talk.launches.at(-1)!);
      world.record.append({
        type: 'claude_ready',
        agent: name,
        data: { attempt, session_id: move.sessionId, took_ms },
      });
      return;
    }
    case 'look_at_contract':
      doing.memory.contractSign = doing.ear.state().lastSignAt;
      doing.memory.contract = await lookAtContract(world.context, agent, now, doing.signal);
      return;
    case 'say':
      return say(world, agent, { ...doing, attempt, purpose: move.purpose, complaints: move.complaints });
    case 'wipe': {
      const isWiped = await whenFree(name, doing.pane, () => wipeLeftover(doing.pane));
      doing.memory.wipes = isWiped ? 0 : doing.memory.wipes + 1;
      return;
    }
    case 'leave':
      return leave(world, name, attempt, doing);
    case 'restart':
      return relaunch(world, agent, { do: 'resume', sessionId: doing.talk.sessionIds.at(-1)! });
    case 'park': {
      if (move.isForAll) await world.gate.close({ reason: move.reason, until: move.until });
      if (move.until === null) alert(world, move.isForAll ? null : name, move.reason);
      const until = move.until === null ? null : iso(move.until);
      world.record.append({ type: 'parked', agent: name, data: { attempt, reason: move.reason, until } });
      return;
    }
    case 'unpark':
      if (move.isProven) world.gate.open();
      world.record.append({ type: 'unparked', agent: name, data: { attempt } });
      return;
    case 'deny':
      return deny(world, name, attempt, doing);
    case 'fail':
      await keepScreen(world, name, attempt, doing.memory.text);
      world.giveUp(name, { reason: move.reason, mayRetry: move.mayRetry });
  }
}

// Nothing goes on by itself from here: once, however many agents meet it.
function alert(world: TendWorld, agent: string | null, reason: string): void {
  const message = `parked until a person acts: ${reason}`;
  const isKnown = world.record.state().warnings.some(each => each.agent === agent && each.message === message);
  if (!isKnown) world.record.append({ type: 'warning', agent, data: { message, severity: 'high' } });
}

type Saying = Doing & { attempt: number; purpose: Purpose; complaints: string[] };

async function say(world: TendWorld, agent: SettledAgent, o: Saying): Promise<void> {
  const name = agent.request.agent_name;
  const task = await readTask(world.context, agent, o.attempt);
  const text =
    o.purpose === 'task'
      ? o.talk.recovery === null
        ? taskPrompt(task)
        : recoveryPrompt(task, o.talk.recovery)
      : o.purpose === 'nudge'
        ? nudgePrompt(task, o.complaints)
        : againPrompt(task);
  // After a crash between the key and the event the receipt is there already: then it is only written down.
  const earlier = o.purpose === 'task' ? await o.ear.said(text) : null;
  o.memory.said.add(promptHash(text));
  const delivery: Delivery | null =
    earlier === null
      ? await whenFree(name, o.pane, async () =>
          (await hasMoved(o)) ? null : deliver(o.pane, o.ear, text, { waitMs: READY_MS, signal: o.signal }),
        )
      : { outcome: 'submitted', session_id: earlier.sessionId, proof: earlier.proof, enters: 1, took_ms: 0 };
  // Nothing was sent because a person was there first, or the pane is no longer as it was: look again.
  if (delivery === null || (delivery.outcome === 'refused' && delivery.state !== 'text')) return;
  if (delivery.outcome === 'submitted') {
    o.memory.contract = null;
    const { session_id, proof, took_ms } = delivery;
    const sha256 = createHash('sha256').update(text).digest('hex');
    const data = { attempt: o.attempt, purpose: o.purpose, sha256, session_id, proof, took_ms };
    world.record.append({ type: 'prompt_submitted', agent: name, data });
    return;
  }
  const data = { attempt: o.attempt, purpose: o.purpose, why: `${delivery.outcome}: ${delivery.why}` };
  world.record.append({ type: 'prompt_failed', agent: name, data });
  await keepScreen(world, name, o.attempt, delivery.screen);
  const missed = currentAttempt(world.record.state().agents.get(name)!).talk.missed;
  const isFull = delivery.outcome === 'failed' && delivery.kind === 'context_limit';
  if (isFull || missed >= MAX_MISSED)
    world.giveUp(name, { reason: `a prompt could not be delivered: ${delivery.why}`, mayRetry: true });
}

async function leave(world: TendWorld, name: string, attempt: number, doing: Doing): Promise<void> {
  const left = await whenFree(name, doing.pane, async () => {
    const view = await doing.pane.look();
    if ((await hasMoved(doing)) || (view?.holder ?? null) !== null) return null;
    world.record.append({ type: 'leaving', agent: name, data: { attempt } });
    await world.record.flush();
    const isProven = () => doing.ear.state().endedBy !== null;
    return runSlash(doing.pane, '/exit', { isProven, signal: doing.signal });
  });
  // It has done its work: how it is ended is no reason to fail it.
  if (left !== null && left.outcome !== 'done') world.exited(name, { code: 0, signal: null });
}

// null: it was not done, because somebody else types into the pane right now.
async function whenFree<T>(name: string, pane: PaneDoor, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await withPane(ensureRuntimeFolder(), pane.identity, { what: `engine of ${name}`, waitMs: LOCK_MS }, work);
  } catch (error) {
    if (error instanceof PaneBusy) return null;
    throw error;
  }
}

// A person waits to say something, or something came since the contract was looked at: the decision is old.
const hasMoved = async ({ memory, ear, pane }: Doing): Promise<boolean> =>
  (memory.contract !== null && ear.state().lastSignAt !== memory.contractSign) ||
  (await isAwaited(ensureRuntimeFolder(), pane.identity));

async function deny(world: TendWorld, name: string, attempt: number, doing: Doing): Promise<void> {
  const digest = doing.talk.question?.digest;
  if (digest === undefined) return;
  const answered = await whenFree(name, doing.pane, () => denyQuestion(doing.pane, digest));
  if (answered?.outcome !== 'answered') return;
  const how = 'denied: nobody answered in time';
  world.record.append({ type: 'question_closed', agent: name, data: { attempt, how } });
  const message = `a permission was denied because nobody answered: ${doing.talk.question?.title.split('\n')[0]}`;
  world.record.append({ type: 'warning', agent: name, data: { message, severity: 'medium' } });
}

async function keepScreen(world: TendWorld, name: string, attempt: number, text: string): Promise<void> {
  if (text === '') return;
  const { screens } = sessionPlaces(world.context.places.workspace, name, attempt);
  const file = `${screens}/${iso(world.context.clock.now()).replaceAll(':', '')}.txt`;
  // For people who ask why; the run does not depend on it.
  await mkdir(screens, { recursive: true, mode: 0o700 })
    .then(() => writeFile(file, world.context.redactor.text(text), { mode: 0o600 }))
    .catch(() => {});
}
