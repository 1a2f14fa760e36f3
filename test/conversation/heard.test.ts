// Receipts folded into what was heard, and the trouble that the service, not the agent, is to blame for.

import { expect, test } from 'vitest';
import { apiTrouble, backOffMs, longestBackOffMs } from '../../src/conversation/api-trouble.ts';
import { type Heard, hear, heardNothing } from '../../src/conversation/heard.ts';
import type { Receipt } from '../../src/protocol/receipt.ts';
import { heard, NOW, screen, shownError } from './sights.ts';

const head = { pane: '%1', session_id: 's1', transcript_path: null, prompt_id: null, agent_id: null };
const receipt = (event: string, more: object = {}): Receipt => ({ ...head, event, ...more }) as Receipt;
const listen = (...receipts: Receipt[]): Heard =>
  receipts.reduce((state, each, index) => hear(state, each, NOW + index), heardNothing(NOW - 1));

const start = receipt('SessionStart', { source: 'startup' });
const prompt = receipt('UserPromptSubmit', { prompt: 'hello' });

test('a turn is open from its prompt to its end, and the end is told', () => {
  expect(listen(start)).toMatchObject({ sessionId: 's1', sessionSince: NOW, source: 'startup', isOpen: false });
  expect(listen(start, prompt)).toMatchObject({ isOpen: true, lastEnd: null });
  expect(listen(start, prompt, receipt('Stop'))).toMatchObject({
    isOpen: false,
    lastEnd: { kind: 'stop', at: NOW + 2 },
  });
  expect(listen(start, prompt, receipt('StopFailure', { error: 'overloaded' }))).toMatchObject({
    isOpen: false,
    lastEnd: { kind: 'failure', error: 'overloaded' },
  });
  expect(listen(start, receipt('Stop'), prompt)).toMatchObject({ lastEnd: null });
});

test('a session that took its hooks up while it ran is introduced by its first word, but not by its last', () => {
  const { session_id: sessionId } = start;
  expect(listen(prompt)).toMatchObject({ sessionId, isOpen: true });
  expect(listen(receipt('Stop'), receipt('Stop', { session_id: 'later' }))).toMatchObject({ sessionId });
  expect(listen(receipt('SessionEnd', { reason: 'other' }))).toMatchObject({ sessionId: null });
});

test('the end of a subagent is no end of the turn', () => {
  expect(listen(start, prompt, receipt('Stop', { agent_id: 'sub' }))).toMatchObject({
    isOpen: true,
    lastSignAt: NOW + 2,
  });
});

test('a compaction happens in the middle of a turn; every other start has none open', () => {
  const again = (source: string, session_id = 's1') => receipt('SessionStart', { source, session_id });
  expect(listen(start, prompt, again('compact'))).toMatchObject({ isOpen: true, source: 'startup' });
  expect(listen(start, prompt, again('resume'))).toMatchObject({ isOpen: false, lastEnd: null });
  expect(listen(start, prompt, again('clear', 's2'))).toMatchObject({ isOpen: false, sessionId: 's2' });
});

test('a session that ended is told with its reason, until it is resumed; /clear is no end', () => {
  const end = (reason: string | null) => receipt('SessionEnd', { reason });
  expect(listen(start, prompt, end('other'))).toMatchObject({ endedBy: 'other', isOpen: false });
  expect(listen(start, end(null))).toMatchObject({ endedBy: 'other' });
  expect(listen(start, end('clear'))).toMatchObject({ endedBy: null });
  expect(listen(start, end('other'), receipt('SessionStart', { source: 'resume' }))).toMatchObject({ endedBy: null });
});

test('the end of another session in the pane is not the end of the present one', () => {
  const other = receipt('SessionEnd', { session_id: 'other', reason: 'other' });
  expect(listen(start, prompt, other)).toMatchObject({ sessionId: start.session_id, endedBy: null, isOpen: true });
  const late = receipt('SessionEnd', { reason: 'other' });
  const next = receipt('SessionStart', { source: 'startup', session_id: 's2' });
  expect(listen(start, next, late)).toMatchObject({ sessionId: 's2', endedBy: null });
});

test('only compactions that were not held back are counted, and other receipts are but signs of life', () => {
  const compact = (blocked: boolean) => receipt('PreCompact', { trigger: 'auto', blocked });
  expect(listen(start, compact(true), compact(false))).toMatchObject({ compactions: 1 });
  expect(listen(start, prompt, receipt('Notification'))).toMatchObject({ isOpen: true, lastSignAt: NOW + 2 });
});

const failed = (error: string) => heard({ lastEnd: { kind: 'failure', error, at: NOW } });

test('a turn that ended well is no trouble, whatever an old error on the screen says', () => {
  expect(apiTrouble(heard(), screen('idle'))).toBeNull();
  expect(apiTrouble(heard({ lastEnd: { kind: 'stop', at: NOW } }), shownError('overloaded'))).toBeNull();
});

test.each([
  ['rate_limit', 'rate_limit'],
  ['overloaded', 'overloaded'],
  ['server_error', 'server'],
  ['authentication_failed', 'auth'],
  ['invalid_request', 'invalid_request'],
  ['something new', 'other'],
])('the hook calls it %s, Baton %s', (error, kind) => {
  expect(apiTrouble(failed(error), null)).toMatchObject({ kind, message: `API error: ${error}`, at: NOW });
  expect(apiTrouble(failed(error), shownError('server'))).toMatchObject({ kind: 'server', message: 'it shows server' });
});

test('what only the screen tells is believed without a hook: a full context, a used-up account', () => {
  expect(apiTrouble(heard(), shownError('context_limit'))).toMatchObject({ kind: 'context_limit' });
  const resets = new Date(NOW + 60_000).toISOString();
  const limit = { kind: 'usage_limit', resetsAt: NOW + 60_000, isOpenEnded: false };
  expect(apiTrouble(heard(), shownError('usage_limit', resets))).toMatchObject(limit);
});

test('only a lost login has no end, only a request at fault is final', () => {
  const kinds = ['auth', 'invalid_request', 'overloaded', 'usage_limit', 'connection'] as const;
  const told = kinds.map(kind => apiTrouble(failed('x'), shownError(kind))!);
  expect(told.filter(each => each.isOpenEnded).map(each => each.kind)).toEqual(['auth']);
  expect(told.filter(each => each.isFinal).map(each => each.kind)).toEqual(['invalid_request']);
});

test('the wait doubles from 5 s to 5 min, and chance takes at most half of it', () => {
  expect([0, 1, 2, 3].map(tries => backOffMs(tries, 1))).toEqual([5000, 10_000, 20_000, 40_000]);
  expect([6, 20, 400].map(tries => backOffMs(tries, 1))).toEqual(Array(3).fill(longestBackOffMs));
  expect(backOffMs(0, 0)).toBe(2500);
});
