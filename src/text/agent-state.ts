// What state an agent is in, how it looks and what is worth telling of it: the same words and signs in every face. Pure.

import type { AgentLine, LiveAgentStatus } from '../protocol/status.ts';
import type { Colour } from './paint.ts';

// Who needs a person stands first, then who runs, who waits, who ended.
export const ranks = ['needs', 'runs', 'waits', 'ended'] as const;
export type Rank = (typeof ranks)[number];
export type Look = { sign: string; colour: Colour; word: string };
export type AgentState = { rank: Rank; look: Look };

// In the order in which they are counted out: who needs somebody, what moves, what went wrong, what is over.
export const looks = {
  asks: { sign: '?', colour: 'yellow', word: 'asks' },
  stuck: { sign: '!', colour: 'red', word: 'stuck' },
  parked: { sign: '‖', colour: 'yellow', word: 'parked' },
  full: { sign: '!', colour: 'yellow', word: 'full' },
  conflict: { sign: '≠', colour: 'magenta', word: 'conflict' },
  lost: { sign: '!', colour: 'red', word: 'no engine' },
  held: { sign: '■', colour: 'magenta', word: 'held' },
  handoff: { sign: '⇄', colour: 'blue', word: 'handoff' },
  running: { sign: '▶', colour: 'cyan', word: 'running' },
  idle: { sign: '▷', colour: 'cyan', word: 'idle' },
  retrying: { sign: '↻', colour: 'yellow', word: 'retrying' },
  checking: { sign: '▶', colour: 'cyan', word: 'checking' },
  stopping: { sign: '▶', colour: 'yellow', word: 'stopping' },
  watched: { sign: '◆', colour: 'cyan', word: 'watched' },
  failed: { sign: '✖', colour: 'red', word: 'failed' },
  timeout: { sign: '✖', colour: 'red', word: 'timeout' },
  waiting: { sign: '·', colour: 'dim', word: 'waiting' },
  done: { sign: '✔', colour: 'green', word: 'done' },
  skipped: { sign: '-', colour: 'dim', word: 'skipped' },
} as const satisfies Record<string, Look>;

// Of an agent of which nothing is known but its status, as in a report.
export const lookOf: Record<LiveAgentStatus, Look> = {
  pending: looks.waiting,
  running: looks.running,
  parked: looks.parked,
  success: looks.done,
  failure: looks.failed,
  timeout: looks.timeout,
  skipped: looks.skipped,
};

// "2 running, 1 failed, 4 waiting"
export function countsText(counted: readonly Look[]): string {
  const words = counted.map(({ word }) => word);
  return Object.values(looks)
    .map(({ word }) => ({ word, count: words.filter(each => each === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}`)
    .join(', ');
}

// Screens that only a person can leave.
const STUCK = new Set(['login', 'api_key', 'onboarding', 'bypass', 'mcp', 'trust']);

export type Around = {
  isLost: boolean; // its execution goes on, but has no engine
  hasConflict: boolean; // the merge left something to decide about what it made
  handoff: string | null; // the step of the watchdog's that runs just now
};
export const calm: Around = { isLost: false, hasConflict: false, handoff: null };

export function agentState(agent: AgentLine, { isLost, hasConflict, handoff }: Around): AgentState {
  const { claude, note, status } = agent;
  if (status === 'success' && hasConflict) return { rank: 'needs', look: looks.conflict };
  if (!['pending', 'running', 'parked'].includes(status)) return { rank: 'ended', look: lookOf[status] };
  if (isLost) return { rank: 'needs', look: looks.lost };
  if (status === 'pending') return { rank: 'waits', look: looks.waiting };
  if (claude?.question) return { rank: 'needs', look: looks.asks };
  if (status === 'parked') return { rank: 'needs', look: looks.parked };
  if (claude && STUCK.has(claude.state)) return { rank: 'needs', look: looks.stuck };
  if (handoff !== null) return { rank: 'runs', look: looks.handoff };
  if (claude?.held_by) return { rank: 'runs', look: looks.held };
  if (note?.startsWith('its outputs')) return { rank: 'runs', look: looks.checking };
  if (note?.startsWith('it is being stopped')) return { rank: 'runs', look: looks.stopping };
  if (claude?.state === 'retrying') return { rank: 'runs', look: looks.retrying };
  return { rank: 'runs', look: claude?.state === 'idle' ? looks.idle : looks.running };
}

// Why it failed, waits or asks says more than the last thing it printed.
export function lastWords({ note, last_line, claude, status, dependencies }: AgentLine): string {
  if (claude?.question) return claude.question.title.split('\n').findLast(line => line.trim() !== '') ?? '';
  if (claude?.parked) return claude.parked.reason;
  if (claude && status === 'running' && STUCK.has(claude.state)) return `its screen: ${claude.state.replace('_', ' ')}`;
  const waits = status === 'pending' && dependencies.length > 0 ? `after ${dependencies.join(', ')}` : '';
  return note ?? last_line ?? waits;
}
