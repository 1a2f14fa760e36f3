// logs/engine.log: the events as lines for people, as many as log_level asks for.

import { appendFileSync, closeSync, constants, lstatSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Event, EventType } from '../protocol/event.ts';
import type { LogLevel } from '../protocol/request.ts';

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const levels: Partial<Record<EventType, LogLevel>> = {
  attempt_opened: 'debug',
  attempt_exited: 'debug',
  phase_entered: 'debug',
  warning: 'warn',
  held_back: 'warn',
  output_lost: 'error',
  total_timeout: 'error',
  error: 'error',
};

export function levelOf(event: Event): LogLevel {
  if (event.type === 'attempt_ended' && event.data.outcome.status !== 'success') return 'warn';
  return levels[event.type] ?? 'info';
}

export const isLogged = (event: Event, asked: LogLevel): boolean =>
  order.indexOf(levelOf(event)) >= order.indexOf(asked);

export function logLine(event: Event): string {
  const who = event.agent === null ? '' : ` ${event.agent}`;
  return `${event.time} ${levelOf(event).padEnd(5)} ${event.type}${who} ${JSON.stringify(briefOf(event))}\n`;
}

// The whole request and outcome stand in events.ndjson; a line for people is short.
function briefOf(event: Event): unknown {
  if (event.type === 'execution_started') return { agents: event.data.request.agents.length };
  if (event.type === 'attempt_ended') {
    const { status, reason, exit_code } = event.data.outcome;
    return { attempt: event.data.attempt, status, reason, exit_code };
  }
  if (event.type === 'merge_ended') return { status: event.data.result.status, reason: event.data.result.reason };
  return event.data;
}

export function writeEngineLog(file: string, event: Event, asked: LogLevel): void {
  if (!isLogged(event, asked)) return;
  try {
    // A link that an agent put in the place of logs/ or of the file would carry it out of the workspace.
    if (!lstatSync(path.dirname(file)).isDirectory()) return;
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
    const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      appendFileSync(fd, logLine(event));
    } finally {
      closeSync(fd);
    }
  } catch {
    // The record is events.ndjson; this copy for people may be missing.
  }
}
