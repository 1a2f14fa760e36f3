// One plain line for an event worth telling, for pipes and logs; null for those that are not, or that
// log_level leaves out.

import { isLogged } from '../engine/engine-log.ts';
import { plainText } from '../files/plain-text.ts';
import type { Event } from '../protocol/event.ts';
import type { LogLevel } from '../protocol/request.ts';
import { clockText, counted } from './span-text.ts';

export function eventLine(event: Event, asked: LogLevel = 'info'): string | null {
  const what = isLogged(event, asked) ? tell(event) : null;
  if (what === null) return null;
  return `${clockText(event.time)} ${event.agent ?? 'baton'}: ${plainText(what)}`;
}

function tell(event: Event): string | null {
  switch (event.type) {
    case 'execution_started':
      return `execution ${event.data.request.execution_id} started: ${counted(event.data.request.agents.length, 'agent')}`;
    case 'engine_started':
      return event.data.resumed ? 'execution resumed' : null;
    case 'phase_entered':
      return `phase ${event.data.phase}`;
    case 'attempt_started':
      return `started, attempt ${event.data.attempt} (tmux session ${event.data.session})`;
    case 'attempt_opened':
      return `attempt ${event.data.attempt} runs in pane ${event.data.pane}, process ${event.data.pid}`;
    case 'attempt_exited':
      return `attempt ${event.data.attempt} ended with exit code ${event.data.exit_code ?? 'unknown'}`;
    case 'attempt_stopping':
      return `is being ended: ${event.data.cause.replace('_', ' ')}`;
    case 'attempt_ended':
      return tellEnd(event.data.attempt, event.data.outcome.status, event.data.outcome.reason);
    case 'retry_scheduled':
      return `will be tried again, attempt ${event.data.attempt}`;
    case 'agent_skipped':
      return `skipped: ${event.data.reason}`;
    case 'merge_ended':
      return `merge ${event.data.result.status}${event.data.result.reason === null ? '' : `: ${event.data.result.reason}`}`;
    case 'held_back':
      return event.data.reason === null ? 'goes on' : `held back: ${event.data.reason}`;
    case 'warning':
      return event.data.severity === 'low' ? null : `warning: ${event.data.message}`;
    case 'error':
      return `error: ${event.data.message}`;
    default:
      return tellWish(event);
  }
}

function tellWish(event: Event): string | null {
  switch (event.type) {
    case 'paused':
      return 'paused: no further agents start';
    case 'unpaused':
      return 'goes on';
    case 'cancel_requested':
      return `cancelling: ${event.data.reason}`;
    case 'total_timeout':
      return `the whole execution is out of time (${event.data.seconds} s)`;
    case 'retry_requested':
      return `again, with its dependents: ${event.data.agents.join(', ')}`;
    default:
      return null;
  }
}

function tellEnd(attempt: number, status: string, reason: string | null): string {
  if (status === 'success') return attempt === 1 ? 'done' : `done, attempt ${attempt}`;
  return `${status === 'timeout' ? 'timeout' : 'failed'}, attempt ${attempt}${reason === null ? '' : `: ${reason}`}`;
}
