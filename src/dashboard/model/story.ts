// The story of one agent: events of its execution and handoffs of its pane, in words. Pure.

import type { Event } from '../../protocol/event.ts';
import type { HandoffRecord } from '../../protocol/handoff.ts';
import { tokensText } from './context-bar.ts';
import type { DetailAttempt, DetailStory } from './detail.ts';

export function storyOf(events: readonly Event[], agent: string, records: readonly HandoffRecord[]): DetailStory[] {
  const told = events.flatMap(event => {
    const text = event.agent === agent ? eventText(event) : null;
    return text === null ? [] : [{ at: Date.parse(event.time), text }];
  });
  const handoffs = records.map(record => ({ at: Date.parse(record.ended_at), text: handoffText(record) }));
  return [...told, ...handoffs].sort((a, b) => a.at - b.at);
}

function handoffText({ outcome, reason, tokens_before, tokens_after, started_at, ended_at, commit }: HandoffRecord) {
  const seconds = Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000);
  const kept = commit === null ? '' : `, committed ${commit.sha.slice(0, 8)}`;
  return `handoff (${reason}) ${outcome}: ${tokensText(tokens_before)} → ${tokensText(tokens_after)} tokens in ${seconds} s${kept}`;
}

function eventText(event: Event): string | null {
  switch (event.type) {
    case 'attempt_started':
      return `attempt ${event.data.attempt} started`;
    case 'attempt_stopping':
      return `stopping: ${event.data.reason ?? event.data.cause}`;
    case 'attempt_exited':
      return `exited with ${event.data.exit_code ?? event.data.signal ?? '?'}`;
    case 'attempt_ended':
      return `attempt ${event.data.attempt}: ${event.data.outcome.status}${event.data.outcome.reason === null ? '' : `, ${event.data.outcome.reason}`}`;
    case 'claude_launched':
      return `Claude Code launched (${event.data.how})${event.data.why === null ? '' : `: ${event.data.why}`}`;
    case 'claude_ready':
      return `ready after ${(event.data.took_ms / 1000).toFixed(1)} s`;
    case 'session_changed':
      return `new session (${event.data.source})`;
    case 'prompt_submitted':
      return `told: ${event.data.purpose} (${event.data.proof}, ${event.data.took_ms} ms)`;
    case 'prompt_failed':
      return `could not be told (${event.data.purpose}): ${event.data.why}`;
    case 'question_opened':
      return `asks: ${event.data.question.title.split('\n').at(-1)}`;
    case 'question_closed':
      return `question closed: ${event.data.how}`;
    case 'parked':
      return `parked: ${event.data.reason}`;
    case 'unparked':
      return 'goes on';
    case 'retry_scheduled':
      return `will be tried again at ${event.data.not_before}`;
    case 'agent_skipped':
    case 'output_lost':
      return event.data.reason;
    case 'warning':
    case 'error':
      return `${event.type}: ${event.data.message}`;
    default:
      return null;
  }
}

export function attemptsOf(events: readonly Event[], agent: string): DetailAttempt[] {
  const attempts = new Map<number, DetailAttempt & { from: number }>();
  for (const event of events) {
    if (event.agent !== agent) continue;
    if (event.type === 'attempt_started') {
      const { attempt } = event.data;
      attempts.set(attempt, { attempt, status: 'running', reason: null, seconds: null, from: Date.parse(event.time) });
    }
    if (event.type === 'attempt_ended') {
      const { attempt, outcome } = event.data;
      const from = attempts.get(attempt)?.from ?? Date.parse(event.time);
      const seconds = (Date.parse(event.time) - from) / 1000;
      attempts.set(attempt, { attempt, status: outcome.status, reason: outcome.reason, seconds, from });
    }
  }
  return [...attempts.values()];
}
