// A task run headless to its end, over as many fresh sessions as it may have: each goes on from the last
// `## HANDOFF` section of the one before. One combined result comes back; nothing is thrown for what went badly.

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { buildContinuationPrompt } from '../chain/build-continuation-prompt.ts';
import { combineResults } from '../chain/combine-results.ts';
import { type ContinuationFacts, decideContinuation, stopWords } from '../chain/decide-continuation.ts';
import { type ChainResult, type HeadlessSettings, MAX_CONTINUATIONS_CAP } from '../protocol/chain.ts';
import type { StreamEvent } from './read-stream.ts';
import { renderEvent } from './render-event.ts';
import { type RunSession, runSession } from './run-session.ts';
import { writeSessionSettings } from './session-settings.ts';
import { sessionBegins, sessionEnds, sessionGoesOn } from './session-words.ts';

export type ContinuationOptions = {
  settings: HeadlessSettings;
  print(lines: readonly string[]): void; // what people read
  complain(text: string): void; // stderr of Claude Code, and trouble of our own
  signal: AbortSignal;
};

export async function runWithContinuation(options: ContinuationOptions): Promise<ChainResult> {
  const { settings, print } = options;
  const { limits } = settings;
  const most = Math.min(limits.max_agent_continuations, MAX_CONTINUATIONS_CAP);
  const deadlineMs = Date.now() + limits.max_seconds * 1000;
  const raw = openRaw(settings.raw_file, options.complain);
  const sessions: RunSession[] = [];
  let prompt = settings.prompt;
  try {
    for (;;) {
      const order = { prompt, number: sessions.length + 1, most, spentBeforeUsd: costOf(sessions), deadlineMs };
      const started = await startNext(options, order, raw.write).catch(cannotGoOn(sessions.length));
      if (typeof started === 'string') return combineResults(sessions, started);
      sessions.push(started);
      print(sessionEnds(started.result, costOf(sessions), limits));
      const decision = decideContinuation(factsOf(sessions), limits);
      if (!decision.goesOn) return combineResults(sessions, stopWords[decision.because]);
      const { handoff, output } = started;
      const { because } = decision;
      prompt = buildContinuationPrompt({ task: settings.prompt, handoff, output, because, number: order.number, most });
      print(sessionGoesOn(because, handoff));
    }
  } finally {
    await raw.close();
    // The copy of the settings may hold what the caller keeps private.
    for (const end of ['settings.json', 'compaction']) await rm(`${settings.raw_file}.${end}`, { force: true });
  }
}

type Order = { prompt: string; number: number; most: number; spentBeforeUsd: number; deadlineMs: number };

async function startNext(
  { settings, print, complain, signal }: ContinuationOptions,
  { prompt, number, most, spentBeforeUsd, deadlineMs }: Order,
  onLine: (line: string) => void,
): Promise<RunSession> {
  const { limits, settings_file, raw_file } = settings;
  // Where no fresh session may follow, compaction is better than the end.
  const mayGoOn = number <= most;
  const hooked = await writeSessionSettings({ from: settings_file, beside: raw_file, blocks: mayGoOn });
  let isShown = false;
  const onEvent = (event: StreamEvent) => {
    // Every turn of a session begins with an init of its own.
    if (event.kind === 'init' && !isShown) print(sessionBegins({ event, number, most, limits }));
    isShown ||= event.kind === 'init';
    print(renderEvent(event));
  };
  const more = { onLine, onEvent, onComplaint: complain, signal };
  return runSession({ settings, prompt, hooked, mayGoOn, spentBeforeUsd, deadlineMs, ...more });
}

// What earlier sessions did and cost is not lost with a later one that cannot be started.
const cannotGoOn =
  (sessions: number) =>
  (error: unknown): string => {
    if (sessions === 0) throw error;
    return `the next session could not be started: ${error instanceof Error ? error.message : error}`;
  };

function factsOf(sessions: readonly RunSession[]): ContinuationFacts {
  const { result, hitMaxTurns, handoff } = sessions.at(-1)!;
  return {
    endedBy: result.ended_by,
    preCompacted: result.pre_compacted,
    hitMaxTurns,
    handoff,
    continuations: sessions.length - 1,
    chainCostUsd: costOf(sessions),
    inFlightUsd: 0,
  };
}

const costOf = (sessions: readonly RunSession[]): number =>
  sessions.reduce((sum, session) => sum + session.result.cost_usd, 0);

// A full disk must not end the work: the stream is a record, not the result.
function openRaw(file: string, complain: (text: string) => void) {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.once('error', error => complain(`the raw stream is not kept: ${error.message}\n`));
  stream.on('error', () => {});
  return {
    write: (line: string) => {
      if (stream.writable) stream.write(`${line}\n`);
    },
    close: () =>
      new Promise<void>(resolve => {
        if (stream.closed || stream.destroyed) resolve();
        else stream.once('close', resolve).end();
      }),
  };
}
