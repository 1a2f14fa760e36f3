// What a session has said, used and spent so far, folded from its stream. Pure: tally and event in, tally out.

import type { Tokens } from '../protocol/chain.ts';
import type { Block, EndOfTurn, Spend, StreamEvent, Usage } from './read-stream.ts';

export type SessionTally = {
  sessionId: string | null;
  version: string | null;
  output: readonly string[]; // the agent's own words, one text block each
  results: readonly EndOfTurn[];
  isCompacted: boolean; // the context was really compacted
  reported: Spend | null;
  // Answers of the model since the last report, each once, in the order they came.
  unreported: ReadonlyMap<string, { usage: Usage; costUsd: number }>;
  seen: ReadonlySet<string>;
};

export const newTally: SessionTally = {
  sessionId: null,
  version: null,
  output: [],
  results: [],
  isCompacted: false,
  reported: null,
  unreported: new Map(),
  seen: new Set(),
};

// Dollars per million tokens: what Claude Code 2.1.326 computes for claude-opus-5-5. Used only for the moment
// between an answer and Claude Code's own figure for it, so that the cap is never passed unseen.
const PRICE = { input: 4, output: 20, cacheRead: 0.2, cacheCreation: 5 };
const CHARACTERS_PER_TOKEN = 4;

export function addEvent(tally: SessionTally, event: StreamEvent): SessionTally {
  switch (event.kind) {
    case 'init':
      return { ...tally, sessionId: event.sessionId || tally.sessionId, version: event.version || tally.version };
    case 'said':
      return addSaid(tally, event);
    case 'compacted':
      return { ...tally, isCompacted: true };
    case 'result':
      return { ...withSpend(tally, event.spend, tally.seen), results: [...tally.results, event.end] };
    default:
      return tally;
  }
}

// A figure asked for when `covered` were all the answers there were: later ones are not in it.
export function withSpend(tally: SessionTally, spend: Spend | null, covered: ReadonlySet<string>): SessionTally {
  if (spend === null) return tally;
  const later = [...tally.unreported].filter(([id]) => !covered.has(id));
  return { ...tally, reported: spend, unreported: new Map(later) };
}

export function spentUsd(tally: SessionTally): number {
  const inFlight = [...tally.unreported.values()].reduce((sum, each) => sum + each.costUsd, 0);
  return (tally.reported?.costUsd ?? 0) + inFlight;
}

export const isSpendReported = (tally: SessionTally): boolean => tally.unreported.size === 0;

export function tokensOf(tally: SessionTally): Tokens {
  const all = [...(tally.reported ? [tally.reported.usage] : []), ...[...tally.unreported.values()].map(u => u.usage)];
  const sum = (key: keyof Usage) => all.reduce((total, usage) => total + usage[key], 0);
  return {
    input: sum('input'),
    output: sum('output'),
    cache_read: sum('cacheRead'),
    cache_creation: sum('cacheCreation'),
  };
}

export const turnsOf = (tally: SessionTally): number => tally.results.reduce((sum, end) => sum + end.turns, 0);

function addSaid(tally: SessionTally, said: Extract<StreamEvent, { kind: 'said' }>): SessionTally {
  if (!said.isReal) return tally;
  const texts = said.isOwn ? said.blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])) : [];
  const spoken = { ...tally, output: [...tally.output, ...texts], seen: new Set([...tally.seen, said.messageId]) };
  const before = tally.unreported.get(said.messageId);
  // Already in a reported figure: only its words are new.
  if (tally.seen.has(said.messageId) && before === undefined) return spoken;
  // Each block of an answer comes as an event of its own, with the same usage and an output count of 1.
  const written = (before?.usage.output ?? 0) + tokensIn(said.blocks);
  const usage = { ...said.usage, output: Math.max(said.usage.output, written) };
  return { ...spoken, unreported: new Map(tally.unreported).set(said.messageId, { usage, costUsd: priceOf(usage) }) };
}

const tokensIn = (blocks: readonly Block[]): number =>
  Math.ceil(
    blocks
      .map(block => (block.type === 'text' ? block.text.length : JSON.stringify(block.input ?? '').length))
      .reduce((sum, length) => sum + length, 0) / CHARACTERS_PER_TOKEN,
  );

function priceOf(usage: Usage): number {
  const keys = Object.keys(PRICE) as (keyof typeof PRICE)[];
  return keys.reduce((sum, key) => sum + usage[key] * PRICE[key], 0) / 1e6;
}
