// A session that has been started: the process, the talk with it, and what is known of it at this moment.

import { randomUUID } from 'node:crypto';
import type { HeadlessSettings } from '../protocol/chain.ts';
import { type Bell, makeBell } from './bell.ts';
import { claudeArguments } from './claude-arguments.ts';
import { type ClaudeExit, type ClaudeProcess, startClaude } from './claude-process.ts';
import type { SessionStop } from './judge-session.ts';
import { readStreamLine, type StreamEvent } from './read-stream.ts';
import type { Hooked } from './session-settings.ts';
import type { SessionState } from './session-state.ts';
import { openTalk, type SessionTalk } from './session-talk.ts';

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

export type Session = {
  order: SessionOrder;
  sessionId: string;
  startedMs: number;
  budgetUsd: number;
  claude: ClaudeProcess;
  talk: SessionTalk;
  bell: Bell; // rings when there is something to look at
  now: Now;
};

export type Now = {
  state: SessionState;
  stop: SessionStop | null; // why we end it; the first cause wins
  heardMs: number; // the last sign of life
  turnsEnded: number; // those already looked at
  exit: ClaudeExit | null;
};

// Claude Code takes no budget of nothing.
const LEAST_USD = 0.000001;

export async function openSession(order: SessionOrder): Promise<Session> {
  const { settings, hooked } = order;
  const sessionId = randomUUID();
  const startedMs = Date.now();
  const bell = makeBell();
  const budgetUsd = Math.max(LEAST_USD, settings.limits.max_chain_cost_usd - order.spentBeforeUsd);
  const now: Now = { state: { phase: 'working' }, stop: null, heardMs: startedMs, turnsEnded: 0, exit: null };
  const talk: SessionTalk = openTalk(line => claude.send(line));
  const claude = await startClaude({
    program: settings.claude_path,
    argv: claudeArguments(settings, { sessionId, settingsFile: hooked.settingsFile, budgetUsd }),
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
  void claude.exited.then(exit => {
    now.exit = exit;
    bell.ring();
  });
  return { order, sessionId, startedMs, budgetUsd, claude, talk, bell, now };
}
