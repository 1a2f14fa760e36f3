// Claude Code ended by itself: how it is started again, and how the talk is folded from its events.

import { expect, test } from 'vitest';
import { nextLaunch } from '../../src/conversation/next-launch.ts';
import { newTalk, parkedMsUntil, type Talk } from '../../src/conversation/talk.ts';
import type { Event } from '../../src/protocol/event.ts';
import { applyTalkEvent, isTalkEvent, type TalkEvent } from '../../src/run/apply-talk.ts';
import { NOW, talk } from './sights.ts';

const ended = { at: NOW, exit: 'signal SIGKILL', conversation: 'alive' as const };
const minutesAgo = (...minutes: number[]) => minutes.map(each => NOW - each * 60_000);

test('a living conversation is resumed; one that is gone, or was never told its task, begins afresh', () => {
  expect(nextLaunch(talk(), ended)).toEqual({ do: 'resume', sessionId: 's1' });
  expect(nextLaunch(talk(), { ...ended, conversation: 'gone' })).toMatchObject({ do: 'afresh' });
  expect(nextLaunch(talk({ isTaskSaid: false }), ended)).toMatchObject({ do: 'afresh' });
  expect(nextLaunch(talk({ sessionIds: [] }), ended)).toMatchObject({ do: 'afresh' });
});

test('three restarts within ten minutes are made, the fourth is not; old ones do not count', () => {
  expect(nextLaunch(talk({ launches: minutesAgo(60, 9, 5) }), ended)).toMatchObject({ do: 'resume' });
  expect(nextLaunch(talk({ launches: minutesAgo(60, 9, 5, 1) }), ended)).toEqual({
    do: 'give_up',
    reason: 'Claude Code ended 4 times within 10 minutes (last: signal SIGKILL)',
  });
  expect(nextLaunch(talk({ launches: minutesAgo(9, 5, 1) }), ended)).toMatchObject({ do: 'resume' });
  expect(nextLaunch(talk({ launches: minutesAgo(60, 30, 20, 10) }), ended)).toMatchObject({ do: 'resume' });
});

test('ended before it was ready, it is tried once more, afresh, then told', () => {
  expect(nextLaunch(newTalk(NOW), ended)).toMatchObject({ do: 'afresh' });
  const second = applyAll(newTalk(NOW), [
    event('claude_launched', { attempt: 1, session_id: 'b', how: 'new', why: '' }),
  ]);
  expect(nextLaunch(second, ended)).toMatchObject({ do: 'give_up', reason: expect.stringContaining('at once, twice') });
});

test('a conversation that cannot be resumed is not tried twice: a new one begins and is told the task', () => {
  const resumed = applyAll(talk(), [
    event('claude_launched', { attempt: 1, session_id: 's1', how: 'resume', why: '' }),
  ]);
  expect(resumed).toMatchObject({ isReady: false, isTaskSaid: true, isCutOff: true, unready: 1, sessionIds: ['s1'] });
  expect(nextLaunch(resumed, ended)).toMatchObject({ do: 'afresh' });
  const fresh = applyAll(resumed, [event('claude_launched', { attempt: 1, session_id: 's2', how: 'new', why: '' })]);
  expect(fresh).toMatchObject({ isTaskSaid: false, isCutOff: false, unready: 2, sessionIds: ['s1', 's2'] });
  expect(applyAll(fresh, [event('claude_ready', { attempt: 1, session_id: 's2', took_ms: 1 })])).toMatchObject({
    isReady: true,
    unready: 0,
  });
});

test('prompts are folded by their purpose: tasks, nudges and repeats are counted apart, a miss until the next hit', () => {
  const said = (purpose: string) =>
    event('prompt_submitted', { attempt: 1, purpose, sha256: '', session_id: 's1', proof: 'receipt', took_ms: 1 });
  const missed = event('prompt_failed', { attempt: 1, purpose: 'task', why: '' });
  const begun = applyAll(talk({ isTaskSaid: false }), [missed, missed]);
  expect(begun).toMatchObject({ missed: 2, isTaskSaid: false });
  expect(applyAll(begun, [said('task')])).toMatchObject({ missed: 0, isTaskSaid: true, nudges: 0 });
  expect(applyAll(talk({ isCutOff: true }), [said('again'), said('again')])).toMatchObject({
    agains: 2,
    isCutOff: false,
  });
  expect(applyAll(talk(), [said('again'), said('nudge')])).toMatchObject({ agains: 0, nudges: 1 });
  expect(applyAll(talk(), [said('person')])).toMatchObject({ nudges: 0, agains: 0 });
});

test('a question is open until it is closed or the program is started again', () => {
  const question = { kind: 'permission', title: 't', options: [], digest: 'd', asked_at: new Date(NOW).toISOString() };
  const open = applyAll(talk(), [event('question_opened', { attempt: 1, question })]);
  expect(open).toMatchObject({ askedAt: NOW, question: { digest: 'd' } });
  const closers = [
    event('question_closed', { attempt: 1, how: '' }),
    event('claude_launched', { attempt: 1, session_id: 's1', how: 'resume', why: '' }),
  ];
  for (const closer of closers) expect(applyAll(open, [closer])).toMatchObject({ askedAt: null, question: null });
});

test('the clock of a parked agent stands still, also when it is parked again meanwhile', () => {
  const park = event('parked', { attempt: 1, reason: 'r', until: new Date(NOW + 60_000).toISOString() });
  const parked = applyTalkEvent(applyTalkEvent(talk(), park, NOW), park, NOW + 10_000);
  expect(parked).toMatchObject({ isParked: true, parkedSince: NOW, parkedUntil: NOW + 60_000, parkedReason: 'r' });
  expect(parkedMsUntil(parked, NOW + 30_000)).toBe(30_000);
  const free = applyTalkEvent(parked, event('unparked', { attempt: 1 }), NOW + 40_000);
  expect(free).toMatchObject({ isParked: false, parkedSince: null, parkedMs: 40_000, unparkedAt: NOW + 40_000 });
  expect(parkedMsUntil(free, NOW + 90_000)).toBe(40_000);
  expect(applyTalkEvent(free, event('leaving', { attempt: 1 }), NOW)).toMatchObject({ isLeaving: true });
});

test('a session that changed is the last of its list, and stands there once', () => {
  const change = (session_id: string) => event('session_changed', { attempt: 1, session_id, source: 'clear' });
  expect(applyAll(talk(), [change('s2'), change('s2')])).toMatchObject({ sessionIds: ['s1', 's2'] });
});

function event(type: TalkEvent['type'], data: object): TalkEvent {
  const made = { id: 1, time: new Date(NOW).toISOString(), type, agent: 'a', data } as unknown as Event;
  if (!isTalkEvent(made)) throw new Error(`${type} is no event of the talk`);
  return made;
}

const applyAll = (from: Talk, events: TalkEvent[]): Talk =>
  events.reduce((state, each) => applyTalkEvent(state, each, NOW), from);
