// When a handoff begins, and when it must not: two agreeing readings, the latch, the breaker, the caps.

import { expect, test } from 'vitest';
import { afterFailure, closedBreaker, isFailure, mayBegin, pausedUntil } from '../../src/handoff/breaker.ts';
import { freshWatch, latch, observe, type Reading, type Watch } from '../../src/handoff/observe.ts';
import { handoffEnds } from '../../src/protocol/handoff.ts';

const reading = (more: Partial<Reading> = {}): Reading => ({
  tokens: 101_000,
  sessionId: 's1',
  source: 'record',
  at: 1,
  ...more,
});

function after(...readings: Reading[]) {
  let watch: Watch = freshWatch;
  const told: string[] = [];
  for (const one of readings) {
    const seen = observe(watch, one, 's1', 100_000);
    watch = seen.watch;
    told.push(seen.due);
  }
  return { told, watch };
}

test('two records or two sources begin a handoff; one alone does not', () => {
  expect(after(reading(), reading({ at: 2 })).told).toEqual(['no', 'handoff']);
  expect(after(reading(), reading({ source: 'transcript' })).told).toEqual(['no', 'handoff']);
  expect(after(reading(), reading()).told, 'the same record twice').toEqual(['no', 'no']);
  expect(after(reading({ tokens: 100_000 }), reading({ tokens: 100_000, at: 2 })).told).toEqual(['no', 'handoff']);
});

test('readings that disagree, fall below or are of another session do not add up', () => {
  expect(after(reading(), reading({ tokens: 400_000, at: 2 })).told).toEqual(['no', 'no']);
  expect(after(reading(), reading({ tokens: 99_999, at: 2 }), reading({ at: 3 })).told).toEqual(['no', 'no', 'no']);
  expect(after(reading({ sessionId: 's0' }), reading({ sessionId: 's0', at: 2 })).told).toEqual(['no', 'no']);
});

test('an estimate only alerts, once', () => {
  const estimate = (at: number) => reading({ source: 'estimate', at });
  expect(after(estimate(1), estimate(2), estimate(3)).told).toEqual(['alert', 'no', 'no']);
  expect(after(estimate(1), reading({ at: 2 })).told).toEqual(['alert', 'no']);
});

test('a session is handed off once', () => {
  expect(after(reading(), reading({ at: 2 }), reading({ at: 3 }), reading({ at: 4 })).told).toEqual([
    'no',
    'handoff',
    'no',
    'no',
  ]);
  const latched = latch(freshWatch, 's1');
  expect(observe(observe(latched, reading(), 's1', 1).watch, reading({ at: 2 }), 's1', 1).due).toBe('no');
});

const minutes = (n: number) => n * 60_000;

test('three failures in fifteen minutes pause handoffs for thirty', () => {
  const two = afterFailure(afterFailure(closedBreaker, minutes(0)), minutes(7));
  expect(pausedUntil(two, minutes(7))).toBeNull();
  const open = afterFailure(two, minutes(14));
  expect(pausedUntil(open, minutes(15))).toBe(minutes(44));
  expect(pausedUntil(open, minutes(44))).toBeNull();
  expect(pausedUntil(afterFailure(two, minutes(16)), minutes(16)), 'the first is too old').toBeNull();
  expect(pausedUntil(open, -minutes(600)), 'a clock set back makes no pause of days').toBeNull();
});

const load = { done: 0, costUsd: null, isSessionLatched: false, isManual: false };
const caps = { maxHandoffs: 3, maxCostUsd: 10 };

test('the caps hold, and what is only for now is told apart', () => {
  const open = { ...closedBreaker, paused_until: minutes(30) };
  const leave = (more: object, breaker = closedBreaker) => {
    const told = mayBegin({ ...load, ...more }, caps, breaker, 0);
    return told.may ? 'yes' : told.isForNow ? 'later' : 'never';
  };
  expect(leave({})).toBe('yes');
  expect(leave({ done: 3 })).toBe('never');
  expect(leave({ costUsd: 10 })).toBe('never');
  expect(leave({ isSessionLatched: true })).toBe('never');
  expect(leave({}, open)).toBe('later');
  expect(leave({ isManual: true, isSessionLatched: true }, open)).toBe('yes');
  expect(leave({ isManual: true, done: 3 }), 'asked for or not').toBe('never');
});

test('only what went wrong counts as a failure', () => {
  for (const how of ['closed', 'finished', 'session_changed', 'agent_gone', 'lease_lost'])
    expect(isFailure(how), how).toBe(false);
  for (const how of ['futile', 'commit_failed', 'resume_blocked']) {
    expect(Object.keys(handoffEnds)).toContain(how);
    expect(isFailure(how), how).toBe(true);
  }
});
