// The talk with one session: what it said, what it has been asked over the stream, and what came back. Its
// decisions are made elsewhere.

import { randomUUID } from 'node:crypto';
import { handoffQuestion } from '../chain/build-continuation-prompt.ts';
import { type Handoff, parseHandoff } from '../chain/parse-handoff.ts';
import { interruptLine, promptLine, spendLine } from './claude-arguments.ts';
import type { StreamEvent } from './read-stream.ts';
import { addEvent, newTally, type SessionTally, withSpend } from './session-tally.ts';

export type SessionTalk = {
  tally(): SessionTally;
  hear(event: StreamEvent): void;
  prompt(text: string): void;
  interrupt(): void;
  askForHandoff(): void;
  wasAsked(): boolean;
  isAskTaken(): boolean;
  handoff(): Handoff | null; // since it was asked, if it was
  askForSpend(nowMs: number): void; // not too often
};

const SPEND_EVERY_MS = 1000;
// An older Claude Code may never answer; a lost answer must not be the last one.
const SPEND_PATIENCE_MS = 5000;

export function openTalk(send: (line: string) => void): SessionTalk {
  let tally = newTally;
  const ask = { id: '', from: 0, isTaken: false };
  const spend = { id: '', askedMs: Number.NEGATIVE_INFINITY, covered: tally.seen };

  return {
    tally: () => tally,
    hear(event) {
      tally = addEvent(tally, event);
      if (event.kind === 'answer' && event.request === spend.id) {
        tally = withSpend(tally, event.spend, spend.covered);
        spend.id = '';
      }
      if (event.kind === 'prompt_state' && event.prompt === ask.id)
        ask.isTaken ||= event.state === 'started' || event.state === 'completed';
    },
    prompt: text => send(promptLine(randomUUID(), text)),
    interrupt: () => send(interruptLine(randomUUID())),
    askForHandoff() {
      Object.assign(ask, { id: randomUUID(), from: tally.output.length, isTaken: false });
      send(promptLine(ask.id, handoffQuestion));
    },
    wasAsked: () => ask.id !== '',
    isAskTaken: () => ask.isTaken,
    handoff: () => parseHandoff(tally.output.slice(ask.from).join('\n\n')),
    askForSpend(nowMs) {
      if (nowMs - spend.askedMs < (spend.id === '' ? SPEND_EVERY_MS : SPEND_PATIENCE_MS)) return;
      Object.assign(spend, { id: randomUUID(), askedMs: nowMs, covered: tally.seen });
      send(spendLine(spend.id));
    },
  };
}
