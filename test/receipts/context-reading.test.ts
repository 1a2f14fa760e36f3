// Which source is believed, and when none is.

import { expect, test } from 'vitest';
import { type ContextNow, type ContextSources, readContext } from '../../src/receipts/context-reading.ts';
import type { StatusRecord } from '../../src/receipts/read-status-record.ts';

const NOW = 1_000_000;
const at: ContextNow = { session_id: 's2', since: NOW - 60_000, now: NOW };
const record: StatusRecord = {
  tokens: 45_203,
  window: 200_000,
  percent: 23,
  cost_usd: 1,
  session_id: 's2',
  transcript_path: null,
  model: null,
  version: null,
  rate_limits: null,
  read_at: NOW - 5_000,
};
const all: ContextSources = {
  record,
  screen: { tokens: 45_300, window: null, percent: 23, time: NOW - 100 },
  transcript: { tokens: 45_203, model: null, session_id: 's2', time: NOW - 5_300 },
  estimate: { tokens: 40_000, session_id: 's2', time: NOW - 50 },
};

test('the record comes first, then the screen, the transcript, and an estimate marked as one', () => {
  expect(readContext(all, at)).toEqual({
    value: 45_203,
    window: 200_000,
    percent: 23,
    source: 'record',
    session_id: 's2',
    time: NOW - 5_000,
  });
  const left = { ...all, record: null };
  expect(readContext(left, at)).toMatchObject({ value: 45_300, source: 'screen', session_id: 's2', time: NOW - 100 });
  expect(readContext({ ...left, screen: null }, at)).toMatchObject({
    value: 45_203,
    source: 'transcript',
    window: null,
  });
  const last = { ...left, screen: null, transcript: null };
  expect(readContext(last, at)).toMatchObject({ value: 40_000, source: 'estimate', window: null, percent: null });
  expect(readContext({ ...last, estimate: null }, at).value).toBeNull();
});

test('nothing of an older session is believed', () => {
  const later = { ...at, session_id: 's3' };
  const result = readContext({ ...all, screen: null }, later);
  expect(result).toMatchObject({ value: null });
  expect(result).toHaveProperty('why', expect.stringContaining('another session'));
});

test('nothing from before a clear or compaction is believed, though the session id be the same', () => {
  expect(readContext(all, { ...at, since: NOW }).value).toBeNull();
});

test('the screen is not believed until it had time to show the new session', () => {
  const onlyScreen = { ...all, record: null, transcript: null, estimate: null };
  expect(readContext(onlyScreen, { ...at, since: NOW - 900 }).value).toBeNull();
  expect(readContext(onlyScreen, { ...at, since: NOW - 1_700 })).toMatchObject({ source: 'screen' });
});

test('a record that says new settles it: older figures elsewhere are not taken instead', () => {
  const fresh = { ...record, tokens: null, percent: null };
  expect(readContext({ ...all, record: fresh }, at)).toEqual({ value: null, why: expect.stringContaining('new') });
});

test('a record much older than the last reply is stale, be it new or a figure', () => {
  const old = { ...record, read_at: NOW - 40_000 };
  const silent = { ...all, screen: null };
  for (const stale of [old, { ...old, tokens: null }])
    expect(readContext({ ...silent, record: stale }, at)).toMatchObject({
      value: 45_203,
      source: 'transcript',
      percent: 23,
    });
  // A reply of another session says nothing about this record.
  const foreign = { ...silent, record: old, transcript: { ...all.transcript!, session_id: 's1' } };
  expect(readContext(foreign, at)).toMatchObject({ source: 'record' });
});

test('readings over the allowed age are unknown', () => {
  expect(readContext(all, { ...at, maxAgeMs: 10 }).value).toBeNull();
  expect(readContext(all, { ...at, maxAgeMs: 1_000 })).toMatchObject({ source: 'screen' });
});

test('a percentage alone counts only with a known window', () => {
  const screen = { tokens: null, window: null, percent: 10, time: NOW };
  const stale = { ...record, read_at: NOW - 50_000 };
  expect(readContext({ ...all, record: stale, screen }, at)).toMatchObject({ value: 20_000, source: 'screen' });
  expect(readContext({ ...all, record: null, screen }, at)).toMatchObject({ source: 'transcript' });
});

test('a real zero is a value', () => {
  expect(readContext({ ...all, record: { ...record, tokens: 0, percent: 0 } }, at)).toMatchObject({ value: 0 });
});
