// Which events need a person, in words short enough for a notice; and several notices made one. Pure. Every text of
// an agent is cleaned here.

import { plainText } from '../files/plain-text.ts';
import type { Event } from '../protocol/event.ts';

export const noticeKinds = ['question', 'stuck', 'limit', 'conflict', 'held', 'alert', 'ended'] as const;
export type NoticeKind = (typeof noticeKinds)[number];
export type Notice = {
  kind: NoticeKind;
  key: string; // one event, one key, whoever sees it
  execution: string | null;
  agent: string | null;
  title: string;
  body: string;
  command: string | null; // what a person would run next
  at: string;
};

const MOST_TITLE = 80;
const MOST_BODY = 500;
const MOST_ASKED = 400; // the options still have room behind it
const MOST_LISTED = 5;

export const shortTitle = (text: string): string => plainText(text, { max: MOST_TITLE }).trim();
export const shortBody = (text: string): string => plainText(text, { max: MOST_BODY }).trim();

// The workspace makes the keys of two executions different that are called the same.
export function noticeOf(
  event: Event,
  { execution, workspace }: { execution: string; workspace: string },
): Notice | null {
  const told = tell(event, execution);
  if (told === null) return null;
  const { agent, time: at } = event;
  const who = agent === null ? execution : `${execution}/${agent}`;
  const title = shortTitle(`${agent ?? execution} ${told.says}`);
  return {
    kind: told.kind,
    key: `${workspace}\0${told.key ?? event.id}`,
    execution,
    agent,
    title,
    body: shortBody(told.body),
    command: told.command(who),
    at,
  };
}

type Told = { kind: NoticeKind; says: string; body: string; key?: string; command: (who: string) => string };

function tell(event: Event, execution: string): Told | null {
  switch (event.type) {
    case 'question_opened': {
      const { question } = event.data;
      const options = question.options.map(({ number, label }) => `${number} ${label}`).join(', ');
      return {
        kind: 'question',
        says: `asks (${question.kind})`,
        body: `${plainText(question.title, { max: MOST_ASKED })}${options === '' ? '' : ` (${options})`}`,
        key: `${event.agent}/${question.digest}/${question.asked_at}`,
        command: () => 'baton prompts',
      };
    }
    case 'parked':
      return {
        kind: 'limit',
        says: event.data.until === null ? 'is parked until somebody acts' : 'is parked',
        body: event.data.reason,
        command: who => `baton attach ${who}`,
      };
    case 'attempt_stopping':
      if (event.data.cause !== 'gave_up') return null;
      return {
        kind: 'stuck',
        says: 'was given up',
        body: event.data.reason ?? 'no reason is known',
        command: who => `baton logs ${who}`,
      };
    case 'held_back':
      if (event.data.reason === null) return null;
      return {
        kind: 'held',
        says: 'is held back',
        body: event.data.reason,
        command: () => `baton status ${execution}`,
      };
    case 'merge_ended': {
      const { status, conflicts, reason } = event.data.result;
      if (status !== 'conflict') return null;
      return {
        kind: 'conflict',
        says: `has ${conflicts.length} to decide`,
        body: reason ?? 'the outputs disagree',
        command: () => `baton conflicts ${execution}`,
      };
    }
    case 'execution_ended':
      return {
        kind: 'ended',
        says: `ended: ${event.data.status.replace('_', ' ')}`,
        body: event.data.report,
        command: () => `baton report ${execution}`,
      };
    default:
      return null;
  }
}

// What came within a few seconds is one interruption.
export function groupNotices(notices: readonly Notice[]): { title: string; body: string } {
  const [only] = notices;
  if (notices.length === 1 && only !== undefined) return { title: only.title, body: only.body };
  const titles = notices.slice(0, MOST_LISTED).map(notice => notice.title);
  const more = notices.length - titles.length;
  const body = `${titles.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return { title: `${notices.length} things need you`, body: shortBody(body) };
}
