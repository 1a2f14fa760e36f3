// Everything that comes back from one Claude Code session: receipts as they arrive, the status record, the
// transcript. One ear per pane and process; it only listens.

import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Heard, hear, heardNothing } from '../conversation/heard.ts';
import type { Receipt } from '../protocol/receipt.ts';
import { readPrompt, transcriptEnd } from '../receipts/read-transcript.ts';
import { type Arrival, followReceipts } from '../receipts/receipt-tail.ts';
import type { Ear, Echo } from './deliver.ts';

type Submitted = Extract<Receipt, { event: 'UserPromptSubmit' }>;

export type SessionEar = Ear & {
  state(): Heard;
  transcript(): string | null;
  permission(): Receipt | null; // the last one asked for
  said(text: string): Echo | null; // to the present session, and answered in some way; also before this process
  took(line: string): boolean; // a prompt with this line was answered in some way, in whichever session of the pane
  newPrompts(): Submitted[]; // submitted since this was last asked, by whomever
  turns(): readonly Turn[]; // of the present session, in order
  close(): void;
};

// What the session was asked: a prompt, or an order that a hook handed it (`prompt` is then the order's name).
export type Turn = { prompt: string; isOrder: boolean; isEnded: boolean };

export type EarOptions = { receipts: string; now: () => number; onSign?: () => void; sweepMs?: number };

const FOLLOWING: readonly string[] = ['Stop', 'StopFailure', 'PostToolUse', 'PermissionRequest'];
const ENDING: readonly string[] = ['Stop', 'StopFailure', 'SessionEnd'];
const CAUGHT_UP_MS = 300;

// Resolves when what lies in the file already was heard.
export async function openEar({ receipts, now, onSign, sweepMs }: EarOptions): Promise<SessionEar> {
  const stop = new AbortController();
  let heard = heardNothing(now());
  let arrivals: Receipt[] = [];
  const prompts: Submitted[] = [];
  const asked: (Turn & { sessionId: string | null })[] = [];
  const begun = new Set<Submitted>(); // those that something followed: a refused prompt is followed by nothing
  let told = 0;
  let transcript: string | null = null;
  let permission: Receipt | null = null;
  let transcriptFrom = 0;

  // When something before this ear's time happened is unknown, and must not make the figures after it look old.
  const before = (await stat(receipts).catch(() => null))?.size ?? 0;

  const take = ({ receipt, at, end }: Arrival) => {
    heard = hear(heard, receipt, at);
    if (end <= before) heard = { ...heard, sessionSince: 0 };
    transcript = receipt.transcript_path ?? transcript;
    if (receipt.event === 'PermissionRequest') permission = receipt;
    if (receipt.event === 'UserPromptSubmit') prompts.push(receipt);
    const latest = prompts.at(-1);
    if (latest !== undefined && FOLLOWING.includes(receipt.event)) begun.add(latest);
    keepTurns(asked, receipt);
    arrivals.push(receipt);
    onSign?.();
  };
  const listen = (async () => {
    for await (const arrival of followReceipts(receipts, { signal: stop.signal, sweepMs })) take(arrival);
  })();
  listen.catch(() => {}); // an unreadable file leaves the ear deaf, which reads as "not ready"
  await sleep(CAUGHT_UP_MS, undefined, { signal: stop.signal }).catch(() => {});

  return {
    state: () => heard,
    transcript: () => transcript,
    permission: () => permission,
    isTurnOpen: () => heard.isOpen,
    said(text) {
      const isHere = (receipt: Submitted) => receipt.session_id === heard.sessionId && begun.has(receipt);
      const found = prompts.find(receipt => isPrompt(receipt, text) && isHere(receipt));
      return found ? { sessionId: found.session_id, proof: 'receipt' } : null;
    },
    took: line => prompts.some(receipt => begun.has(receipt) && (receipt.prompt ?? '').split('\n').includes(line)),
    newPrompts() {
      const fresh = prompts.slice(told);
      told = prompts.length;
      return fresh;
    },
    turns: () => asked.filter(turn => turn.sessionId === heard.sessionId),
    async mark() {
      arrivals = [];
      transcriptFrom = transcript === null ? 0 : await transcriptEnd(transcript);
    },
    async heard(text): Promise<Echo | null> {
      const found = arrivals.find(receipt => isPrompt(receipt, text));
      if (found) return { sessionId: found.session_id, proof: 'receipt' };
      const written = transcript === null ? null : await readPrompt(transcript, text, transcriptFrom);
      return written === 'turn' ? { sessionId: heard.sessionId, proof: 'transcript' } : null;
    },
    hasBegun: () => arrivals.some(({ event }) => FOLLOWING.includes(event)),
    close: () => stop.abort(),
  };
}

// Whatever is asked next ends what was asked before.
function keepTurns(asked: (Turn & { sessionId: string | null })[], receipt: Receipt): void {
  const order = 'ordered' in receipt ? receipt.ordered : null;
  const isPromptNow = receipt.event === 'UserPromptSubmit';
  const isMain = receipt.agent_id === null;
  const last = asked.at(-1);
  if (last !== undefined && (isPromptNow || order !== null || (isMain && ENDING.includes(receipt.event))))
    last.isEnded = true;
  const sessionId = receipt.session_id;
  if (isPromptNow) asked.push({ sessionId, prompt: receipt.prompt ?? '', isOrder: false, isEnded: false });
  if (order !== null) asked.push({ sessionId, prompt: order, isOrder: true, isEnded: false });
}

const isPrompt = (receipt: Receipt, text: string): boolean =>
  receipt.event === 'UserPromptSubmit' && receipt.prompt?.trim() === text.trim();
