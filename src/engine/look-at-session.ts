// One look at a Claude Code session: screen, receipts, record, account. Facts only; the decision is elsewhere.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { boxText } from '../claude/deliver.ts';
import { leaseHolder } from '../claude/pane-lease.ts';
import { type Costs, keepCosts, readCosts, totalCost } from '../claude/session-costs.ts';
import type { SessionEar } from '../claude/session-ear.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import { hasLeftover } from '../claude/wipe-leftover.ts';
import { iso } from '../clock/clock.ts';
import type { Seen } from '../conversation/next-move.ts';
import { parseReset } from '../conversation/parse-reset.ts';
import type { Talk } from '../conversation/talk.ts';
import { plainText } from '../files/plain-text.ts';
import type { Purpose } from '../protocol/event.ts';
import type { ScreenReading, ScreenState } from '../protocol/screen.ts';
import type { ContextReading } from '../protocol/status.ts';
import { readContext } from '../receipts/context-reading.ts';
import { readStatusRecord, type StatusRecord } from '../receipts/read-status-record.ts';
import { readLastUsage } from '../receipts/read-transcript.ts';
import { currentAttempt } from '../run/run-state.ts';
import { readQuestion } from '../screen/read-question.ts';
import { readScreen } from '../screen/read-screen.ts';
import type { PaneDoor } from '../tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';
import type { SettledAgent } from './context.ts';
import { hasRules } from './session-launch.ts';
import type { TendWorld } from './tend-world.ts';

// A box that cannot be emptied is a draft like any other.
const MOST_WIPES = 5;

// What only the comparison of two looks tells.
export type LookState = {
  text: string;
  state: ScreenState;
  stillSince: number;
  stateSince: number;
  contract: Seen['contract'];
  contractSign: number; // the last sign of the session when the contract was looked at
  said: Set<string>; // hashes of what the engine itself said
  costs: Costs | null; // null: not read from the disk yet
  wipes: number; // of a leftover in the box, in a row and in vain
  deadLooks: number; // in a row; a program that died with its launcher leaves no exit code
};

export const newLookState = (): LookState => ({
  text: '',
  state: 'unknown',
  stillSince: 0,
  stateSince: 0,
  contract: null,
  contractSign: 0,
  said: new Set(),
  costs: null,
  wipes: 0,
  deadLooks: 0,
});

type Sight = { talk: Talk; ear: SessionEar; memory: LookState; pane: PaneDoor };

export async function lookAtSession(world: TendWorld, agent: SettledAgent, sight: Sight): Promise<Seen> {
  const { context } = world;
  const name = agent.request.agent_name;
  const { attempt } = currentAttempt(world.record.state().agents.get(name)!);
  const at = context.clock.now();
  const view = await sight.pane.look();
  const screen = view === null ? null : withReset(readScreen(view.text, view), at);
  // A person, or the watchdog while it hands the session over.
  const holder = view === null ? null : (view.holder ?? leaseHolder(view.lease));
  sight.memory.deadLooks = view?.isDead ? sight.memory.deadLooks + 1 : 0;
  remember(sight.memory, view?.text ?? '', screen?.state ?? 'unknown', at);
  if (holder !== null) sight.memory.stateSince = at; // time in other hands is no time without progress
  noteSession(world, name, { attempt, talk: sight.talk, ear: sight.ear });
  notePersons(world, name, { attempt, ear: sight.ear, memory: sight.memory });
  // A person who holds the pane, or whose prompt came in between, may have changed what is on the disk.
  const { lastSignAt } = sight.ear.state();
  if (holder !== null || lastSignAt !== sight.memory.contractSign) sight.memory.contract = null;
  noteQuestion(world, name, {
    attempt,
    talk: sight.talk,
    question: view === null ? null : readQuestion(view.text),
    screen,
    at,
    isHookAsked: hasRules(agent.config) && at - sight.memory.stateSince < HOOK_MS,
  });
  const places = sessionPlaces(context.places.workspace, name, attempt);
  const record = await readStatusRecord(places.record).catch(() => null);
  sight.memory.costs = await keepCosts(places.costs, sight.memory.costs ?? (await readCosts(places.costs)), record);
  const costUsd = totalCost(sight.memory.costs);
  await tellLive(world, name, { sight, screen, record, costUsd, holder, at });
  return {
    at,
    launchedAt: sight.talk.launches.at(-1)!,
    screen,
    stillMs: at - sight.memory.stillSince,
    stateForMs: at - sight.memory.stateSince,
    heard: sight.ear.state(),
    isHeld: holder !== null,
    hasLeftover:
      view !== null && sight.memory.wipes < MOST_WIPES && (await hasLeftover(ensureRuntimeFolder(), sight.pane, view)),
    gate: world.gate.read(at),
    provenAt: world.gate.provenAt(),
    contract: sight.memory.contract,
    costUsd,
    cap: readCap(places.cap),
    chance: Math.random(),
  };
}

// Laid there by the watchdog.
function readCap(file: string): string | null {
  try {
    return plainText(readFileSync(file, 'utf8').trim(), { max: 300 }) || null;
  } catch {
    return null;
  }
}

function remember(memory: LookState, text: string, state: ScreenState, at: number): void {
  if (text !== memory.text) Object.assign(memory, { text, stillSince: at });
  if (state !== memory.state) Object.assign(memory, { state, stateSince: at });
}

// The words on the screen become a moment as soon as they are read: "7pm" means nothing tomorrow.
function withReset(reading: ScreenReading, now: number): ScreenReading {
  const words = reading.error?.resets_at ?? null;
  if (reading.error === null || words === null) return reading;
  const moment = parseReset(words, now);
  return { ...reading, error: { ...reading.error, resets_at: moment === null ? null : iso(moment) } };
}

function noteSession(world: TendWorld, name: string, o: { attempt: number; talk: Talk; ear: SessionEar }): void {
  const { sessionId, source } = o.ear.state();
  if (!o.talk.isReady || sessionId === null || o.talk.sessionIds.at(-1) === sessionId) return;
  const data = { attempt: o.attempt, session_id: sessionId, source: source ?? 'unknown' };
  world.record.append({ type: 'session_changed', agent: name, data });
}

// What was not said by the engine was said by the watchdog or a person: `baton send`, or somebody attached.
function notePersons(
  world: TendWorld,
  name: string,
  { attempt, ear, memory }: { attempt: number; ear: SessionEar; memory: LookState },
): void {
  for (const { prompt, session_id } of ear.newPrompts()) {
    const sha256 = promptHash(prompt ?? '');
    if (memory.said.has(sha256)) continue;
    const purpose = purposeOf(prompt ?? '');
    const data = { attempt, purpose, sha256, session_id, proof: 'receipt' as const, took_ms: 0 };
    world.record.append({ type: 'prompt_submitted', agent: name, data });
  }
}

// The watchdog marks what it says.
function purposeOf(prompt: string): Purpose {
  if (!/^Baton-Message: /m.test(prompt)) return 'person';
  return prompt.startsWith('You go on') ? 'resume' : 'handoff';
}

// As the session gives it back.
export const promptHash = (text: string): string => createHash('sha256').update(boxText(text)).digest('hex');

// Claude Code shows the dialog while the hook with the rules still thinks: nobody is asked until it had its time.
const HOOK_MS = 2500;

type Asked = ReturnType<typeof readQuestion>;
const KINDS = ['permission', 'question', 'plan'] as const;

function noteQuestion(
  world: TendWorld,
  name: string,
  o: { attempt: number; talk: Talk; question: Asked; screen: ScreenReading | null; at: number; isHookAsked: boolean },
): void {
  const kind = KINDS.find(each => each === o.screen?.state);
  const open = o.talk.question;
  if (kind === undefined || o.question === null) {
    // A screen that could not be read does not mean that nobody asks any more.
    if (open !== null && o.screen !== null && o.screen.state !== 'unknown')
      world.record.append({
        type: 'question_closed',
        agent: name,
        data: { attempt: o.attempt, how: 'answered, or no longer asked' },
      });
    return;
  }
  if (open?.digest === o.question.digest || (kind === 'permission' && o.isHookAsked)) return;
  const { title, body, options, digest } = o.question;
  const question = {
    kind,
    title: plainText([title, body].filter(part => part !== '').join('\n'), { max: 2000, keepNewlines: true }),
    options: options.map(({ number, label }) => ({ number, label: plainText(label) })),
    digest,
    asked_at: iso(o.at),
  };
  world.record.append({ type: 'question_opened', agent: name, data: { attempt: o.attempt, question } });
}

type Live = {
  sight: Sight;
  screen: ScreenReading | null;
  record: StatusRecord | null;
  costUsd: number | null;
  holder: string | null;
  at: number;
};

async function tellLive(world: TendWorld, name: string, o: Live): Promise<void> {
  const context = await contextOf(o);
  const before = JSON.stringify(world.live.get(name));
  world.live.set(name, {
    state: o.screen?.state ?? 'unknown',
    context,
    cost_usd: o.costUsd,
    held_by: o.holder,
    sources: {
      state: 'screen',
      turn: 'receipts',
      context: context?.source ?? 'unknown',
      cost_usd: o.record ? 'record' : 'unknown',
    },
  });
  if (JSON.stringify(world.live.get(name)) !== before) world.changed();
}

async function contextOf({ sight, screen, record, at }: Live): Promise<ContextReading | null> {
  const session_id = sight.ear.state().sessionId;
  if (session_id === null) return null;
  const file = sight.ear.transcript();
  const transcript = file === null || record !== null ? null : await readLastUsage(file).catch(() => null);
  const shown = screen?.context ?? null;
  const reading = readContext(
    { record, screen: shown === null ? null : { ...shown, time: at }, transcript, estimate: null },
    { session_id, since: sight.ear.state().sessionSince, now: at },
  );
  if (reading.value === null) return null;
  const { value, window, source, time } = reading;
  return { tokens: value, window, source, session_id, at: iso(time) };
}
