// How the states of an agent look, everywhere in the command line.

import type { LiveAgentStatus } from '../protocol/status.ts';
import type { Colour } from '../text/paint.ts';

export const looks: Record<LiveAgentStatus, { sign: string; colour: Colour; word: string }> = {
  pending: { sign: '·', colour: 'dim', word: 'waiting' },
  running: { sign: '▶', colour: 'cyan', word: 'running' },
  parked: { sign: '‖', colour: 'yellow', word: 'parked' },
  success: { sign: '✔', colour: 'green', word: 'done' },
  failure: { sign: '✖', colour: 'red', word: 'failed' },
  timeout: { sign: '✖', colour: 'red', word: 'timeout' },
  skipped: { sign: '-', colour: 'dim', word: 'skipped' },
};

// The order in which states are counted out: what moves, what went wrong, what is over.
export const order: readonly LiveAgentStatus[] = [
  'running',
  'parked',
  'failure',
  'timeout',
  'pending',
  'success',
  'skipped',
];

// "2 running, 1 failed, 4 waiting"
export function countsText(statuses: readonly LiveAgentStatus[]): string {
  const parts = order.map(status => [statuses.filter(each => each === status).length, looks[status].word] as const);
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
