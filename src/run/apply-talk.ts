// The talk with one agent, folded from its events. Pure.

import type { Talk } from '../conversation/talk.ts';
import type { Event } from '../protocol/event.ts';

const types = [
  'claude_launched',
  'claude_ready',
  'session_changed',
  'prompt_submitted',
  'prompt_failed',
  'question_opened',
  'question_closed',
  'parked',
  'unparked',
  'leaving',
] as const;

export type TalkEvent = Extract<Event, { type: (typeof types)[number] }>;

export const isTalkEvent = (event: Event): event is TalkEvent => (types as readonly string[]).includes(event.type);

export function applyTalkEvent(before: Talk, event: TalkEvent, at: number): Talk {
  const talk = change(before, event, at);
  const stands = talk.isParked || talk.question !== null;
  if (stands) return { ...talk, standsSince: talk.standsSince ?? at };
  if (talk.standsSince === null) return talk;
  return { ...talk, standsSince: null, stoodMs: talk.stoodMs + Math.max(0, at - talk.standsSince) };
}

function change(talk: Talk, event: TalkEvent, at: number): Talk {
  switch (event.type) {
    case 'claude_launched': {
      const isResumed = event.data.how === 'resume';
      return {
        ...withSession(talk, event.data.session_id),
        launches: [...talk.launches, at],
        unready: talk.unready + 1,
        recovery: isResumed ? talk.recovery : event.data.document,
        isCutOff: isResumed,
        // A new conversation knows nothing of what was said in the old one.
        isTaskSaid: talk.isTaskSaid && isResumed,
        isReady: false,
        question: null,
        askedAt: null,
      };
    }
    case 'claude_ready':
      return { ...withSession(talk, event.data.session_id), isReady: true, unready: 0 };
    case 'session_changed':
      return withSession(talk, event.data.session_id);
    case 'prompt_submitted':
      return { ...said(talk, event.data.purpose), missed: 0, isCutOff: false };
    case 'prompt_failed':
      return { ...talk, missed: talk.missed + 1 };
    case 'question_opened':
      return { ...talk, question: event.data.question, askedAt: Date.parse(event.data.question.asked_at) };
    case 'question_closed':
      return { ...talk, question: null, askedAt: null };
    case 'parked': {
      const until = event.data.until === null ? null : Date.parse(event.data.until);
      const parkedSince = talk.parkedSince ?? at;
      return { ...talk, isParked: true, parkedSince, parkedUntil: until, parkedReason: event.data.reason };
    }
    case 'unparked': {
      const parkedMs = talk.parkedMs + (talk.parkedSince === null ? 0 : Math.max(0, at - talk.parkedSince));
      return {
        ...talk,
        isParked: false,
        parkedSince: null,
        parkedUntil: null,
        parkedReason: null,
        parkedMs,
        unparkedAt: at,
      };
    }
    case 'leaving':
      return { ...talk, isLeaving: true };
  }
}

const withSession = (talk: Talk, id: string): Talk =>
  talk.sessionIds.at(-1) === id ? talk : { ...talk, sessionIds: [...talk.sessionIds, id] };

function said(talk: Talk, purpose: string): Talk {
  if (purpose === 'task') return { ...talk, isTaskSaid: true, agains: 0 };
  if (purpose === 'nudge') return { ...talk, nudges: talk.nudges + 1, agains: 0 };
  return purpose === 'again' ? { ...talk, agains: talk.agains + 1 } : talk;
}
