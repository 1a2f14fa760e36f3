// One headless session on a real Claude Code: look, decide, act, wait, until it has ended. What it decides by
// is in session-state.ts and judge-session.ts.

import { setTimeout as sleep } from 'node:timers/promises';
import { type EndedSession, roundUsd } from '../chain/combine-results.ts';
import { type Handoff, parseHandoff } from '../chain/parse-handoff.ts';
import { iso } from '../clock/clock.ts';
import type { SessionResult } from '../protocol/chain.ts';
import type { ClaudeExit } from './claude-process.ts';
import { hitMaxTurns, isTooLong, judgeSession, type SessionStop } from './judge-session.ts';
import { openSession, type Session, type SessionOrder } from './open-session.ts';
import { isCompactionMarked } from './session-settings.ts';
import { type SessionEffect, stepSession } from './session-state.ts';
import { isSpendReported, spentUsd, tokensOf, turnsOf } from './session-tally.ts';

export type RunSession = EndedSession & { handoff: Handoff | null; hitMaxTurns: boolean };

const LOOK_MS = 250;
const CLOSE_MS = 15_000;
const END_GRACE_MS = 4000;
// What a session left in the background has had its time.
const STRAY_GRACE_MS = 500;
// Even a process that cannot be killed is not waited for any longer.
const EXIT_MS = 5000;
const UNKNOWN_EXIT: ClaudeExit = { code: null, signal: null };

export async function runSession(order: SessionOrder): Promise<RunSession> {
  const session = await openSession(order);
  const { claude, talk, bell, now } = session;
  const { signal } = order;
  signal.addEventListener('abort', bell.ring);
  let forced: ReturnType<typeof force> = null;
  try {
    // Cancelled before it began: it must not cost anything.
    if (!signal.aborted) talk.prompt(order.prompt);
    while (now.exit === null) {
      forced = force(session);
      if (forced !== null) break;
      await look(session);
      if (now.state.phase !== 'closing') talk.askForSpend(Date.now());
      await bell.wait(LOOK_MS);
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    await claude.end(forced === null ? STRAY_GRACE_MS : END_GRACE_MS);
  }
  if (forced !== null && forced !== 'unclosed') now.stop ??= forced;
  const exit = await Promise.race([claude.exited, sleep(EXIT_MS, UNKNOWN_EXIT, { ref: false })]);
  // Its end and our own signal may cross: ours is the reason.
  if (signal.aborted && now.state.phase !== 'closing') now.stop ??= 'cancelled';
  // It had said all it had to say when it was ended for not closing.
  return judged(session, forced === 'unclosed' ? { code: 0, signal: null } : exit);
}

async function look(session: Session): Promise<void> {
  const { order, talk, now } = session;
  const isMarked = await isCompactionMarked(order.hooked.compactionMark);
  const tally = talk.tally();
  const last = tally.results.at(-1);
  const { next, effects } = stepSession(
    now.state,
    {
      nowMs: Date.now(),
      isContextFull: order.mayGoOn && (isMarked || tally.isCompacted),
      isSpent: spentUsd(tally) >= session.budgetUsd,
      turnEnded: tally.results.length > now.turnsEnded,
      isBroken: last?.isError === true && (last.apiStatus !== null || isTooLong(last)),
      isAskTaken: talk.isAskTaken(),
      hasSection: talk.wasAsked() && talk.handoff() !== null,
    },
    order.settings.limits.handoff_seconds * 1000,
  );
  now.turnsEnded = tally.results.length;
  now.state = next;
  for (const effect of effects) act(session, effect);
}

function act({ talk, claude, now }: Session, effect: SessionEffect): void {
  if (effect === 'ask') talk.askForHandoff();
  if (effect === 'interrupt') talk.interrupt();
  if (effect === 'close') claude.closeInput();
  if (effect === 'note_cost_cap') now.stop ??= 'cost_cap';
}

// Why it must be ended by force, if it must.
function force({ order, now }: Session): SessionStop | 'unclosed' | null {
  const nowMs = Date.now();
  if (order.signal.aborted) return 'cancelled';
  if (nowMs >= order.deadlineMs) return 'timeout';
  if (now.state.phase === 'closing') return nowMs - now.state.sinceMs > CLOSE_MS ? 'unclosed' : null;
  return nowMs - now.heardMs > order.settings.limits.max_silence_seconds * 1000 ? 'stalled' : null;
}

async function judged({ order, talk, claude, now, sessionId, startedMs }: Session, exit: ClaudeExit) {
  const tally = talk.tally();
  const output = tally.output.join('\n\n');
  const handoff = talk.handoff() ?? parseHandoff(output);
  const verdict = judgeSession({
    stop: now.stop,
    results: tally.results,
    wasAsked: talk.wasAsked(),
    handoff,
    exit,
    complaints: claude.complaints(),
  });
  const isMarked = tally.isCompacted || (await isCompactionMarked(order.hooked.compactionMark));
  const result: SessionResult = {
    session_id: tally.sessionId ?? sessionId,
    claude_version: tally.version,
    ...verdict,
    pre_compacted: isMarked || verdict.ended_by === 'context_full',
    handoff: handoff === null ? 'none' : handoff.isComplete ? 'complete' : 'incomplete',
    turns: turnsOf(tally),
    cost_usd: roundUsd(spentUsd(tally)),
    cost_source: isSpendReported(tally) ? 'reported' : 'estimated',
    tokens: tokensOf(tally),
    started_at: iso(startedMs),
    ended_at: iso(Date.now()),
  };
  return { output, handoff, hitMaxTurns: hitMaxTurns(tally.results), result };
}
