// One headless session on a real Claude Code: look, decide, act, wait, until it has ended. What it decides by
// is in session-state.ts and judge-session.ts.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndedSession, roundUsd } from '../chain/combine-results.ts';
import { type Handoff, parseHandoff } from '../chain/parse-handoff.ts';
import { iso } from '../clock/clock.ts';
import type { HeadlessSettings } from '../protocol/chain.ts';
import { makeBell } from './bell.ts';
import { claudeArguments } from './claude-arguments.ts';
import { type ClaudeExit, startClaude } from './claude-process.ts';
import { hitMaxTurns, isTooLong, judgeSession, type SessionStop } from './judge-session.ts';
import { readStreamLine, type StreamEvent } from './read-stream.ts';
import { type Hooked, isCompactionMarked } from './session-settings.ts';
import { type SessionEffect, type SessionState, stepSession } from './session-state.ts';
import { openTalk, type SessionTalk } from './session-talk.ts';
import { isSpendReported, spentUsd, tokensOf, turnsOf } from './session-tally.ts';

export type SessionOrder = {
  settings: HeadlessSettings;
  prompt: string;
  hooked: Hooked;
  mayGoOn: boolean; // a fresh session may follow: then the context is never compacted
  spentBeforeUsd: number;
  deadlineMs: number;
  signal: AbortSignal;
  onLine(line: string): void; // as it came
  onEvent(event: StreamEvent): void;
  onComplaint(text: string): void;
};

export type RunSession = EndedSession & { handoff: Handoff | null; hitMaxTurns: boolean };

const LOOK_MS = 250;
const CLOSE_MS = 15_000;
const END_GRACE_MS = 4000;
// What a session left in the background has had its time.
const STRAY_GRACE_MS = 500;
// Even a process that cannot be killed is not waited for any longer.
const EXIT_MS = 5000;
const UNKNOWN_EXIT: ClaudeExit = { code: null, signal: null };
// Claude Code takes no budget of nothing.
const LEAST_USD = 0.000001;

type Now = {
  state: SessionState;
  stop: SessionStop | null;
  heardMs: number;
  turnsEnded: number;
  exit: ClaudeExit | null;
};

export async function runSession(order: SessionOrder): Promise<RunSession> {
  const { settings, signal } = order;
  const { limits } = settings;
  const sessionId = randomUUID();
  const startedMs = Date.now();
  const bell = makeBell();
  const now: Now = { state: { phase: 'working' }, stop: null, heardMs: startedMs, turnsEnded: 0, exit: null };
  const budgetUsd = Math.max(LEAST_USD, limits.max_chain_cost_usd - order.spentBeforeUsd);
  const talk: SessionTalk = openTalk(line => claude.send(line));
  const claude = await startClaude({
    program: settings.claude_path,
    argv: claudeArguments(settings, { sessionId, settingsFile: order.hooked.settingsFile, budgetUsd }),
    cwd: settings.cwd,
    env: { ...process.env, ...settings.env },
    onLine(line) {
      const event = readStreamLine(line);
      // An answer to our own question is no sign of life of the agent.
      if (event.kind !== 'answer') now.heardMs = Date.now();
      order.onLine(line);
      talk.hear(event);
      order.onEvent(event);
      // An answer of the model is complete, and counted, when its tools have run.
      if (event.kind === 'tool_result') talk.askForSpend(Date.now());
      bell.ring();
    },
    onComplaint: order.onComplaint,
  });

  const act: Record<SessionEffect, () => void> = {
    ask: talk.askForHandoff,
    interrupt: talk.interrupt,
    close: claude.closeInput,
    note_cost_cap: () => {
      now.stop ??= 'cost_cap';
    },
  };

  async function look(): Promise<void> {
    const isMarked = await isCompactionMarked(order.hooked.compactionMark);
    const tally = talk.tally();
    const last = tally.results.at(-1);
    const { next, effects } = stepSession(
      now.state,
      {
        nowMs: Date.now(),
        isContextFull: order.mayGoOn && (isMarked || tally.isCompacted),
        isSpent: spentUsd(tally) >= budgetUsd,
        turnEnded: tally.results.length > now.turnsEnded,
        isBroken: last?.isError === true && (last.apiStatus !== null || isTooLong(last)),
        isAskTaken: talk.isAskTaken(),
        hasSection: talk.wasAsked() && talk.handoff() !== null,
      },
      limits.handoff_seconds * 1000,
    );
    now.turnsEnded = tally.results.length;
    now.state = next;
    for (const effect of effects) act[effect]();
  }

  // Why it must be ended by force, if it must.
  function force(): SessionStop | 'unclosed' | null {
    const nowMs = Date.now();
    if (signal.aborted) return 'cancelled';
    if (nowMs >= order.deadlineMs) return 'timeout';
    if (now.state.phase === 'closing') return nowMs - now.state.sinceMs > CLOSE_MS ? 'unclosed' : null;
    return nowMs - now.heardMs > limits.max_silence_seconds * 1000 ? 'stalled' : null;
  }

  signal.addEventListener('abort', bell.ring);
  void claude.exited.then(exit => {
    now.exit = exit;
    bell.ring();
  });
  let forced: ReturnType<typeof force> = null;
  try {
    // Cancelled before it began: it must not cost anything.
    if (!signal.aborted) talk.prompt(order.prompt);
    while (now.exit === null) {
      forced = force();
      if (forced !== null) break;
      await look();
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
  const isMarked = talk.tally().isCompacted || (await isCompactionMarked(order.hooked.compactionMark));
  return judged(talk, {
    stop: now.stop,
    exit: forced === 'unclosed' ? { code: 0, signal: null } : exit,
    complaints: claude.complaints(),
    isMarked,
    sessionId,
    startedMs,
  });
}

type Ended = {
  stop: SessionStop | null;
  exit: ClaudeExit;
  complaints: string;
  isMarked: boolean;
  sessionId: string;
  startedMs: number;
};

function judged(talk: SessionTalk, ended: Ended): RunSession {
  const tally = talk.tally();
  const output = tally.output.join('\n\n');
  const handoff = talk.handoff() ?? parseHandoff(output);
  const { stop, exit, complaints } = ended;
  const facts = { stop, exit, complaints, results: tally.results, wasAsked: talk.wasAsked(), handoff };
  const verdict = judgeSession(facts);
  const result = {
    session_id: tally.sessionId ?? ended.sessionId,
    ...verdict,
    pre_compacted: ended.isMarked || verdict.ended_by === 'context_full',
    handoff:
      handoff === null ? ('none' as const) : handoff.isComplete ? ('complete' as const) : ('incomplete' as const),
    turns: turnsOf(tally),
    cost_usd: roundUsd(spentUsd(tally)),
    cost_source: isSpendReported(tally) ? ('reported' as const) : ('estimated' as const),
    tokens: tokensOf(tally),
    started_at: iso(ended.startedMs),
    ended_at: iso(Date.now()),
  };
  return { output, handoff, hitMaxTurns: hitMaxTurns(tally.results), result };
}
