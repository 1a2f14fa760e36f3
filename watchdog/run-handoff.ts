// One handoff from its first step to its end: look, decide, write down, act, write down, wait. All thinking
// is in src/handoff; everything here only moves values. Killed anywhere, it goes on from its journal.

import { begin, decide } from '../src/handoff/handoff-state.ts';
import {
  type Effect,
  type Handoff,
  type HandoffState,
  type Outcome,
  type Rules,
  repeatable,
  type Seen,
} from '../src/handoff/handoff-types.ts';
import { isAtWork, pollOf } from '../src/handoff/turns.ts';
import type { JournalEntry } from '../src/protocol/handoff.ts';

export type HandoffJournal = {
  read(): Promise<JournalEntry[]>; // whole lines only; a torn last one is left out
  append(entry: JournalEntry): Promise<void>; // on the disk (fsync) when it resolves
};

export type HandoffWorld = {
  now(): number; // wall clock, ms
  sleep(ms: number, signal: AbortSignal): Promise<void>; // may end early: a receipt came, a record changed
  look(state: HandoffState): Promise<Seen | null>; // null: nothing could be seen this time
  act(effect: Effect, state: HandoffState): Promise<Outcome>; // never throws for what merely went badly
  journal: HandoffJournal;
  room: Room;
};

// A place among max_concurrent_handoffs. Looked for and taken in one moment, so that no other comes in between.
export type Room = { take(isForced: boolean): boolean; give(): void };

// What is known when a handoff is decided on (src/handoff/observe.ts); used only where the journal is empty.
export type Start = Pick<Handoff, 'id' | 'pane' | 'reason' | 'sessionId' | 'tokensBefore' | 'places'>;

export type Ended = Extract<HandoffState, { name: 'ended' }>;

// Null: told to stop before the end; the journal keeps it for the next time.
export async function runHandoff(
  world: HandoffWorld,
  rules: Rules,
  start: Start,
  signal: AbortSignal,
): Promise<Ended | null> {
  const past = await world.journal.read();
  let n = past.at(-1)?.n ?? 0;
  const write = (kind: JournalEntry['kind'], state: HandoffState, effects: Effect[], outcome: Outcome | null) => {
    n += 1;
    return world.journal.append({ version: 1, n, at: world.now(), kind, state, effects, outcome });
  };
  const act = async (state: HandoffState, effects: Effect[]): Promise<Outcome | null> => {
    let outcome: Outcome | null = null;
    for (const effect of effects) {
      const went = await world.act(effect, state);
      if (!repeatable.has(effect.do)) outcome = went; // the others are proven by the next look alone
    }
    await write('proof', state, effects, outcome);
    return outcome;
  };

  // Nobody looks at an end again: what it leaves behind is done until it is done. False: told to stop before.
  const finish = async (state: HandoffState, effects: Effect[]): Promise<boolean> => {
    let left = effects;
    for (let tries = 0; left.length > 0 && tries < MOST_TRIES; tries += 1) {
      if (tries > 0) await world.sleep(rules.limits.pollMs, signal);
      if (tries > 0 && signal.aborted) return false;
      const still: Effect[] = [];
      for (const effect of left) if ((await world.act(effect, state)).did !== 'done') still.push(effect);
      left = still;
    }
    await write('proof', state, effects, null);
    return true;
  };

  let { state, outcome, unfinished } = fromJournal(past) ?? {
    state: begin(start, world.now()),
    outcome: null,
    unfinished: [] as Effect[],
  };
  if (past.length === 0) await write('step', state, [], null);
  // Nobody knows whether these were done. What may be repeated is; the rest is for the next look to tell.
  const again = unfinished.filter(effect => repeatable.has(effect.do));
  if (state.name === 'ended') return again.length === 0 || (await finish(state, again)) ? state : null;
  if (again.length > 0) await act(state, again);

  for (;;) {
    if (signal.aborted) return null;
    const seen = await world.look(state);
    const { next, effects } = decideInRoom(world, state, seen, rules, outcome);
    if (!isAtWork(next)) world.room.give();
    const hasMoved = next.name !== state.name;
    state = next;
    if (hasMoved || effects.length > 0) {
      await write(effects.length > 0 ? 'intent' : 'step', state, effects, null);
      if (state.name === 'ended') return (await finish(state, effects)) ? state : null;
      const kept: Outcome | null = hasMoved ? null : outcome;
      outcome = effects.length > 0 ? ((await act(state, effects)) ?? kept) : kept;
      continue;
    }
    await world.sleep(pollOf(state, rules.limits), signal);
  }
}

// Of an end: a full disk or a tmux without an answer may take their time.
const MOST_TRIES = 1000;

// One that was at work before a restart is not asked to wait, nor one whose pane is gone: there is nobody to ask.
function decideInRoom(
  world: HandoffWorld,
  state: HandoffState,
  seen: Seen | null,
  rules: Rules,
  outcome: Outcome | null,
) {
  const at = world.now();
  const decision = decide(state, seen, rules, { at, outcome, hasRoom: true });
  if (!isAtWork(decision.next) || world.room.take(isAtWork(state))) return decision;
  const waiting = decide(state, seen, rules, { at, outcome, hasRoom: false });
  if (isAtWork(waiting.next)) world.room.take(true);
  return waiting;
}

type Past = { state: HandoffState; outcome: Outcome | null; unfinished: Effect[] };

// The forms were checked when the lines were read; the state inside is this program's own.
function fromJournal(past: JournalEntry[]): Past | null {
  const last = past.at(-1);
  if (last === undefined) return null;
  // How the deed in flight went stands at its own line, also when something harmless came after it.
  const deed = past.findLast(line => line.effects.some(effect => !repeatable.has(effect.do as Effect['do'])));
  const isOfNow = deed !== undefined && deed.state.name === last.state.name;
  return {
    state: last.state as unknown as HandoffState,
    outcome: isOfNow && deed.kind === 'proof' ? (deed.outcome as Outcome | null) : null,
    unfinished: last.kind === 'intent' ? (last.effects as unknown as Effect[]) : [],
  };
}
