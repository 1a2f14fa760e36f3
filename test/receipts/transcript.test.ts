// Reading transcripts, with lines in the shape Claude Code 2.1.326 wrote.

import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  readLastMessages,
  readLastUsage,
  readPrompt,
  readTurn,
  transcriptEnd,
} from '../../src/receipts/read-transcript.ts';
import { tempFolder } from '../files/temp-folder.ts';

const base = { isSidechain: false, timestamp: '2026-11-18T11:11:29.099Z', sessionId: 'new-id', session_id: 'first-id' };
const user = (content: unknown, extra = {}) => ({
  ...base,
  type: 'user',
  message: { role: 'user', content },
  ...extra,
});
const result = (text: string) => user([{ type: 'tool_result', tool_use_id: 't', content: text }]);
const usage = { input_tokens: 3, cache_creation_input_tokens: 1200, cache_read_input_tokens: 44_000, output_tokens: 9 };
const reply = (content: object[], stop_reason: string | null, extra = {}) => ({
  ...base,
  type: 'assistant',
  message: { id: 'm', model: 'claude-opus-5-5', content, stop_reason, usage },
  ...extra,
});
const said = (text: string) => reply([{ type: 'text', text }], 'end_turn');
const used = () => reply([{ type: 'tool_use', id: 't', name: 'Bash', input: {} }], 'tool_use');
const failed = {
  ...base,
  type: 'assistant',
  isApiErrorMessage: true,
  message: {
    model: '<synthetic>',
    content: [{ type: 'text', text: 'API Error: 400' }],
    stop_reason: 'stop_sequence',
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  },
};
const interrupted = user([{ type: 'text', text: '[Request interrupted by user for tool use]' }]);
const noise = [
  { type: 'mode', mode: 'default', sessionId: 'new-id' },
  { type: 'last-prompt', lastPrompt: 'hello', sessionId: 'new-id' },
  { type: 'queue-operation', operation: 'enqueue', content: 'waiting' },
  user('<local-command-caveat>x</local-command-caveat>', { isMeta: true }),
  user('<command-name>/clear</command-name>'),
  user('<local-command-stdout></local-command-stdout>'),
];
const ended = { ...base, type: 'system', subtype: 'turn_duration' };
const queued = (prompt: string) => ({ ...base, type: 'attachment', attachment: { type: 'queued_command', prompt } });
const filler = (bytes: number) => ({ type: 'api-request', tail: 'x'.repeat(bytes) });

const text = (...records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');
function transcript(...records: object[]): string {
  const file = path.join(tempFolder(), 't.jsonl');
  writeFileSync(file, text(...records));
  return file;
}

test('the last usage is the size of the last request, of the session it belongs to', async () => {
  const two = reply([], 'tool_use', { message: { ...used().message, usage: { ...usage, input_tokens: 7 } } });
  const side = { ...said('aside'), isSidechain: true, message: { ...said('').message, usage: { input_tokens: 9 } } };
  expect(await readLastUsage(transcript(user('a'), said('b'), two, two, side, ended, ...noise))).toEqual({
    tokens: 45_207,
    model: 'claude-opus-5-5',
    session_id: 'new-id',
    time: Date.parse('2026-11-18T11:11:29.099Z'),
  });
});

test('an API error written in the place of a reply does not make the usage zero', async () => {
  expect(await readLastUsage(transcript(user('a'), said('b'), user('c'), failed))).toMatchObject({ tokens: 45_203 });
});

test('after a compaction there is no usage until the next reply', async () => {
  const boundary = { ...base, type: 'system', subtype: 'compact_boundary' };
  const summary = user('what happened so far', { isCompactSummary: true });
  const file = transcript(user('a'), said('b'), boundary, summary);
  expect(await readLastUsage(file)).toBeNull();
  appendFileSync(file, text(user('c'), said('d')));
  expect(await readLastUsage(file)).toMatchObject({ tokens: 45_203 });
});

test('usage behind megabytes of other lines is found, and a missing or foreign file has none', async () => {
  const far = transcript(said('a'), ...Array.from({ length: 30 }, () => filler(100_000)));
  expect(await readLastUsage(far)).toMatchObject({ tokens: 45_203 });
  expect(await readLastUsage(path.join(tempFolder(), 'none'))).toBeNull();
  expect(
    await readLastUsage(transcript({}, { type: 'assistant' }, { type: 'assistant', message: { usage: {} } })),
  ).toBeNull();
});

test('a line still being written is not read', async () => {
  const file = transcript(user('a'), said('b'));
  appendFileSync(file, JSON.stringify({ ...said('c'), message: { ...said('c').message, usage: { input_tokens: 1 } } }));
  expect(await readLastUsage(file)).toMatchObject({ tokens: 45_203 });
});

test('a prompt is found by its very text, and only behind the given place', async () => {
  const file = transcript(user('do "it"\nnow 🎉'), said('b'));
  expect(await readPrompt(file, 'do "it"\nnow 🎉', 0)).toBe('turn');
  expect(await readPrompt(file, 'do "it"', 0)).toBeNull();
  const from = await transcriptEnd(file);
  expect(await readPrompt(file, 'do "it"\nnow 🎉', from)).toBeNull();
  appendFileSync(file, text(user([{ type: 'text', text: 'do "it"\nnow 🎉' }])));
  expect(await readPrompt(file, 'do "it"\nnow 🎉', from)).toBe('turn');
});

test('a prompt handed in during a turn is told apart from one that opened a turn, and waiting is neither', async () => {
  const file = transcript(user('a'), used(), ...noise);
  expect(await readPrompt(file, 'waiting', 0)).toBeNull();
  appendFileSync(file, text(result('r'), queued('waiting')));
  expect(await readPrompt(file, 'waiting', 0)).toBe('queued');
});

test('what a tool printed, or Claude Code noted for itself, is not a prompt', async () => {
  const both = user([
    { type: 'tool_result', tool_use_id: 't', content: 'say this' },
    { type: 'text', text: 'say this' },
  ]);
  const note = user('say this', { isMeta: true });
  const file = transcript(user('a'), used(), result('say this'), both, note);
  expect(await readPrompt(file, 'say this', 0)).toBeNull();
});

test('the last messages are what was said, without tools, commands and notes', async () => {
  const file = transcript(
    user('a'),
    used(),
    result('r'),
    said('b'),
    ended,
    ...noise,
    filler(400_000),
    user('c'),
    said('d'),
  );
  const messages = await readLastMessages(file, 3);
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ['assistant', 'b'],
    ['user', 'c'],
    ['assistant', 'd'],
  ]);
  expect(await readLastMessages(file, 0)).toEqual([]);
});

test('a turn is open from the prompt to the end of the last reply', async () => {
  expect(await readTurn(transcript(...noise))).toBe('unknown');
  expect(await readTurn(transcript(user('a'), ...noise))).toBe('open');
  expect(await readTurn(transcript(user('a'), used()))).toBe('open');
  expect(await readTurn(transcript(user('a'), used(), result('r')))).toBe('open');
  expect(await readTurn(transcript(user('a'), reply([{ type: 'text', text: 'half' }], null)))).toBe('open');
  expect(await readTurn(transcript(user('a'), said('b'), ...noise))).toBe('ended');
  expect(await readTurn(transcript(user('a'), said('b'), ended, user('c')))).toBe('open');
});

test('an interruption and an API error end the turn', async () => {
  expect(await readTurn(transcript(user('a'), used(), result('no'), interrupted))).toBe('ended');
  expect(await readTurn(transcript(user('a'), failed))).toBe('ended');
});
