// One plain line for an event worth telling, for pipes and logs; null for those that are not, or that
// log_level leaves out.

import { isLogged } from '../engine/engine-log.ts';
import { plainText } from '../files/plain-text.ts';
import type { Event, Purpose } from '../protocol/event.ts';
import type { LogLevel } from '../protocol/request.ts';
import { clockText, counted } from '../text/span-text.ts';

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
      return tellTalk(event) ?? tellWish(event);
  }
}

function tellTalk(event: Event): string | null {
  switch (event.type) {
    case 'claude_ready':
      return `Claude Code is ready (${(event.data.took_ms / 1000).toFixed(1)} s)`;
    case 'claude_launched':
      return `Claude Code is started again (${event.data.how}): ${event.data.why ?? 'no reason known'}`;
    case 'prompt_submitted':
      return `${purposes[event.data.purpose]} submitted, with a ${event.data.proof}`;
    case 'prompt_failed':
      return `${purposes[event.data.purpose]} NOT submitted: ${event.data.why}`;
    case 'question_opened':
      return `asks (${event.data.question.kind}): ${event.data.question.title}`;
    case 'question_closed':
      return `its question is closed: ${event.data.how}`;
    case 'parked':
      return `parked${event.data.until === null ? '' : ` until ${clockText(event.data.until)}`}: ${event.data.reason}`;
    case 'unparked':
      return 'goes on';
    default:
      return null;
  }
}

const purposes: Record<Purpose, string> = {
  task: 'its task was',
  nudge: 'a nudge was',
  again: 'the request to go on was',
  person: "a person's prompt was",
  handoff: 'the handoff prompt was',
  resume: 'the resume prompt was',
};

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
