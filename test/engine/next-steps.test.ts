// The decisions of a run, without a world: what is due, what waits, what is given up.

import { expect, test } from 'vitest';
import { failedOutcome } from '../../src/engine/start-attempts.ts';
import type { Event } from '../../src/protocol/event.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { nextSteps, nextWake, retryAt } from '../../src/run/next-steps.ts';
import { foldEvents, type RunState } from '../../src/run/run-state.ts';

const T0 = Date.parse('2026-01-01T00:00:00.000Z');
const logs = { stdout: '/o', stderr: '/e' };

function fold(agents: Record<string, string[]>, options: object, events: object[]): RunState {
  const request = ExecutionRequest.parse({
    execution_id: 'x',
    workspace_root: '/w',
    agents: Object.entries(agents).map(([agent_name, dependencies]) => ({
      agent_name,
      agent_path: '/a',
      task: { description: 'd' },
      dependencies,
      timeout: 60,
    })),
    execution_options: options,
  });
  const first = {
    type: 'execution_started',
    agent: null,
    data: { request, request_sha256: '', workspace_root: '/w', allow_roots: [], trusted: [] },
  };
  const all = [first, ...events].map((event, index) => ({ id: index + 1, time: new Date(T0).toISOString(), ...event }));
  return foldEvents(all as Event[])!;
}
const at = (ms: number, more = {}) => ({ now: T0 + ms, freeSlots: 99, diskComplaint: null, gated: null, ...more });
const started = (agent: string, attempt = 1) => ({
  type: 'attempt_started',
  agent,
  data: { attempt, session: agent, logs },
});
const failed = (agent: string, attempt = 1) => ({
  type: 'attempt_ended',
  agent,
  data: { attempt, outcome: failedOutcome('broken', logs) },
});

test('all that is ready starts, up to the limit of the request and of the engine', () => {
  const state = fold({ a: [], b: [], c: [], d: ['a'] }, { parallel_limit: 2 }, []);
  expect(nextSteps(state, at(0)).map(step => 'agent' in step && step.agent)).toEqual(['a', 'b']);
  expect(nextSteps(state, at(0, { freeSlots: 1 }))).toEqual([{ do: 'start', agent: 'a', attempt: 1 }]);
  expect(nextSteps(state, at(0, { freeSlots: 0 }))).toEqual([]);
});

test('the wait before an attempt doubles from half a second to half a minute', () => {
  const waits = [];
  for (let n = 1; n <= 9; n++) {
    const events = Array.from({ length: n }, (_, index) => [started('a', index + 1), failed('a', index + 1)]).flat();
    const state = fold({ a: [] }, { max_retries: 10 }, events);
    waits.push(retryAt(state.agents.get('a')!, state.request.execution_options, 0));
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('after max_retries, or when retries are off, there is no further attempt', () => {
  const twice = [started('a'), failed('a'), started('a', 2), failed('a', 2)];
  const state = fold({ a: [] }, { max_retries: 1 }, twice);
  expect(retryAt(state.agents.get('a')!, state.request.execution_options, 0)).toBeNull();
  const off = fold({ a: [] }, { retry_on_failure: false }, [started('a'), failed('a')]);
  expect(retryAt(off.agents.get('a')!, off.request.execution_options, 0)).toBeNull();
});

test('an attempt the service refused is not held against the agent, but not for ever', () => {
  const refused = (attempt: number) => ({
    type: 'attempt_ended',
    agent: 'a',
    data: { attempt, outcome: { ...failedOutcome('529', logs), refused: true } },
  });
  const after = (n: number) => {
    const events = Array.from({ length: n }, (_, index) => [started('a', index + 1), refused(index + 1)]).flat();
    const state = fold({ a: [] }, { max_retries: 0 }, events);
    return retryAt(state.agents.get('a')!, state.request.execution_options, 0);
  };
  expect([after(1), after(8), after(9)]).toEqual([500, 500, null]);
});

test('timeouts are due to the millisecond, the one of an agent and the one of the whole', () => {
  const state = fold({ a: [], b: ['a'] }, { total_timeout: 90 }, [started('a')]);
  expect(nextWake(state)).toBe(T0 + 60_000);
  expect(nextSteps(state, at(59_999))).toEqual([]);
  expect(nextSteps(state, at(60_000))).toEqual([{ do: 'stop', agent: 'a', cause: 'timeout' }]);
  expect(nextSteps(state, at(90_000))).toEqual([{ do: 'expire', seconds: 90 }]);
});

test('lack of disk is told once, whatever its figures, and given up only when nobody works any more', () => {
  const state = fold({ a: [], b: [] }, {}, []);
  expect(nextSteps(state, at(0, { diskComplaint: '7 MB' }))).toEqual([{ do: 'hold_back', reason: '7 MB' }]);
  const held = { type: 'held_back', agent: null, data: { reason: '7 MB' } };
  const heldState = fold({ a: [], b: [] }, {}, [held]);
  expect(nextSteps(heldState, at(599_999, { diskComplaint: '8 MB' }))).toEqual([]);
  expect(nextSteps(heldState, at(600_000, { diskComplaint: '8 MB' }))).toEqual([
    { do: 'give_up', reason: 'gave up after 10 minutes: 8 MB' },
  ]);
  const working = fold({ a: [], b: [] }, {}, [started('a'), held]);
  const steps = nextSteps(working, at(600_000, { diskComplaint: '8 MB' }));
  expect(steps.filter(step => step.do === 'give_up')).toEqual([]);
  expect(nextSteps(heldState, at(1000))).toContainEqual({ do: 'hold_back', reason: null });
});

test('the clock of an attempt stands while a person is asked, and goes on from there', () => {
  const time = (ms: number) => new Date(T0 + ms).toISOString();
  const question = { kind: 'question', title: 'Which?', options: [], digest: 'd', asked_at: time(10_000) };
  const opened = { type: 'question_opened', agent: 'a', time: time(10_000), data: { attempt: 1, question } };
  const closed = {
    type: 'question_closed',
    agent: 'a',
    time: time(200_000),
    data: { attempt: 1, digest: 'd', how: 'x' },
  };
  const asking = fold({ a: [] }, {}, [started('a'), opened]);
  expect(nextSteps(asking, at(180_000))).toEqual([]);
  expect(nextSteps(asking, at(25 * 3_600_000))).toMatchObject([{ do: 'stop', cause: 'timeout' }]); // nobody came for a day
  const answered = fold({ a: [] }, {}, [started('a'), opened, closed]);
  expect(nextWake(answered)).toBe(T0 + 60_000 + 190_000);
  expect(nextSteps(answered, at(249_000))).toEqual([]);
  expect(nextSteps(answered, at(250_000))).toMatchObject([{ do: 'stop', cause: 'timeout' }]);
});

test('an agent that is parked while it asks has waited once, not twice', () => {
  const time = (ms: number) => new Date(T0 + ms).toISOString();
  const question = { kind: 'question', title: 'Which?', options: [], digest: 'd', asked_at: time(10_000) };
  const talk = [
    { type: 'question_opened', agent: 'a', time: time(10_000), data: { attempt: 1, question } },
    { type: 'parked', agent: 'a', time: time(20_000), data: { attempt: 1, reason: 'r', until: null } },
    { type: 'question_closed', agent: 'a', time: time(30_000), data: { attempt: 1, digest: 'd', how: 'x' } },
    { type: 'unparked', agent: 'a', time: time(40_000), data: { attempt: 1 } },
  ];
  expect(nextWake(fold({ a: [] }, {}, [started('a'), ...talk]))).toBe(T0 + 60_000 + 30_000);
});
