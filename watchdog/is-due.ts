// Is this pane to be handed off now: because a person asked, or because two readings agree that it is too full and
// nothing forbids another handoff?

import { randomUUID } from 'node:crypto';
import { addCost, readCosts, totalCost } from '../src/claude/session-costs.ts';
import type { SessionEar } from '../src/claude/session-ear.ts';
import { mayBegin } from '../src/handoff/breaker.ts';
import { latch, type Observation, observe, type Reading, type Watch } from '../src/handoff/observe.ts';
import type { HandoffReason } from '../src/protocol/handoff.ts';
import type { Wish } from './bell.ts';
import { readBreaker } from './breaker-file.ts';
import type { PaneRules } from './handoff-rules.ts';
import { lookAtContract } from './look-at-contract.ts';
import type { Readings } from './readings.ts';
import type { Start } from './run-handoff.ts';
import type { WatchedPane } from './watched-pane.ts';

export type DueOptions = {
  state: string;
  alert(key: string, text: string): Promise<void>;
};

export type Due = {
  memory: Watch;
  start: Start | null;
  capped: string | null; // over the threshold, and why it is not handed off all the same
};

export type DueInput = {
  pane: WatchedPane;
  ear: SessionEar;
  readings: Readings;
  rules: PaneRules;
  memory: Watch;
  handoffs: number; // of this pane so far
  wish: Wish | undefined;
};

export async function isDue(input: DueInput, o: DueOptions): Promise<Due> {
  const { pane, ear, readings, memory, wish, rules } = input;
  const heard = ear.state();
  // One that has ended left a shell behind, or nothing.
  const sessionId = heard.endedBy === null ? heard.sessionId : null;
  if (wish !== undefined) {
    const leave = await leaveFor(input, o, true);
    if (sessionId === null) wish.answer(refusal(pane));
    else if (!leave.may) wish.answer(`refused: ${leave.why}`);
    else {
      const start = newStart(pane, wish.reason, sessionId, readings.tokens);
      wish.answer(`begun: handoff ${start.id}`);
      return { memory: latch(memory, sessionId), start, capped: null };
    }
  }
  const seen = observeAll(memory, readings, sessionId, rules.rules.threshold);
  if (seen.due === 'alert')
    await o.alert(`${pane.key}/${readings.estimate?.sessionId}/estimate`, `${pane.name}: ${seen.text}`);
  if (seen.due !== 'handoff') return { memory: seen.watch, start: null, capped: null };
  // Finished, as far as the disk tells; the engine knows more, and it may have to work on.
  if ((await lookAtContract(pane.contract)) === 'met') return { memory, start: null, capped: null };
  const leave = await leaveFor(input, o, false);
  if (leave.may) {
    const start = newStart(pane, 'context threshold', seen.sessionId, seen.tokens);
    return { memory: seen.watch, start, capped: null };
  }
  if (leave.isForNow) return { memory, start: null, capped: null };
  const text = `${pane.name} is over its threshold and is not handed off: ${leave.why}`;
  await o.alert(`${pane.key}/${seen.sessionId}`, text);
  // Not latched: it is handed off as soon as somebody raises the limit.
  return { memory, start: null, capped: leave.why };
}

const refusal = ({ channel }: WatchedPane): string =>
  channel === null
    ? 'refused: no one session of Claude Code is known to run in this pane'
    : 'refused: no session of Claude Code was heard in this pane';

// A record is one reading, the transcript's own usage another, the screen of a pane without hooks a third.
function observeAll(memory: Watch, readings: Readings, present: string | null, threshold: number) {
  const { record, usage, shown, estimate } = readings;
  let seen: Observation = { due: 'no', watch: memory };
  for (const reading of [fromRecord(record), fromUsage(usage), fromScreen(shown, usage)]) {
    if (reading !== null && seen.due === 'no') seen = observe(seen.watch, reading, present, threshold);
  }
  // A session that its hooks have not told of is known by its record alone.
  if (estimate === null || seen.due !== 'no') return seen;
  return observe(seen.watch, estimate, present ?? estimate.sessionId, threshold);
}

const fromRecord = (record: Readings['record']): Reading | null =>
  record === null || record.tokens === null
    ? null
    : { tokens: record.tokens, sessionId: record.session_id, source: 'record', at: record.read_at };

const fromUsage = (usage: Readings['usage']): Reading | null =>
  usage === null || usage.session_id === null || usage.time === null
    ? null
    : { tokens: usage.tokens, sessionId: usage.session_id, source: 'transcript', at: usage.time };

// Looked at twice it is the same figure still: it is as old as the reply it tells of.
const fromScreen = (shown: number | null, usage: Readings['usage']): Reading | null =>
  shown === null || usage === null || usage.session_id === null || usage.time === null
    ? null
    : { tokens: shown, sessionId: usage.session_id, source: 'screen', at: usage.time };

async function leaveFor({ pane, rules, handoffs, readings }: DueInput, o: DueOptions, isManual: boolean) {
  return mayBegin(
    {
      done: handoffs,
      costUsd: pane.costs == null ? null : totalCost(addCost(await readCosts(pane.costs), readings.record)),
      isSessionLatched: false,
      isManual,
    },
    {
      maxHandoffs: rules.maxHandoffs,
      maxCostUsd: pane.maxCostUsd ?? null,
    },
    await readBreaker(o.state),
    Date.now(),
  );
}

const newStart = (pane: WatchedPane, reason: HandoffReason, sessionId: string, tokensBefore: number | null): Start => ({
  id: `h-${new Date().toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}-${randomUUID().slice(0, 8)}`,
  pane: pane.name,
  reason,
  sessionId,
  tokensBefore,
});
