// The turns of a session, as its transcript alone tells them.

import { expect, test } from 'vitest';
import { beginSession, hearLine } from '../../src/claude/hear-transcript.ts';

const user = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const reply = (stop_reason: string, more = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text: 'x' }], stop_reason },
  ...more,
});
const read = (...lines: Record<string, unknown>[]) =>
  lines.reduce((session, line, index) => hearLine(session, line, 1000 + index), beginSession('s', null, 0));

test('a prompt opens a turn, a tool keeps it open, the last answer ends it', () => {
  expect(read(user('a')).heard.isOpen).toBe(true);
  expect(read(user('a'), reply('tool_use')).turns).toEqual([
    { prompt: 'a', isOrder: false, isEnded: false, isFollowed: true },
  ]);
  const done = read(user('a'), reply('tool_use'), reply('end_turn'));
  expect([done.heard.isOpen, done.turns[0]?.isEnded, done.heard.lastEnd]).toEqual([
    false,
    true,
    { kind: 'stop', at: 1002 },
  ]);
  expect(read(user('a'), user('b')).turns.map(turn => turn.isEnded)).toEqual([true, false]);
});

test('lines of slash commands and of subagents are no turns; a prompt with no answer is not followed', () => {
  const command = user('<command-name>/clear</command-name>');
  const side = { ...reply('end_turn'), isSidechain: true };
  expect(read(command, user('a'), side).turns).toEqual([
    { prompt: 'a', isOrder: false, isEnded: false, isFollowed: false },
  ]);
});

test('an API error ends the turn as a failure, and the line after it does not make it good', () => {
  const error = reply('stop_sequence', { isApiErrorMessage: true });
  const { heard } = read(user('a'), error, { type: 'system', subtype: 'turn_duration' });
  expect(heard).toMatchObject({ isOpen: false, lastEnd: { kind: 'failure' } });
});

test('a compaction is counted once, and makes every figure before it old', () => {
  const summary = { ...user('what was before'), isCompactSummary: true };
  const { heard, turns } = read(user('a'), reply('end_turn'), { type: 'system', subtype: 'compact_boundary' }, summary);
  expect([heard.compactions, heard.sessionSince, turns.length]).toEqual([1, 1002, 1]);
  expect(beginSession('t', heard, 5).heard).toMatchObject({ compactions: 1, source: 'clear', sessionId: 't' });
});
