import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PracticeScript } from '../../src/protocol/practice.ts';
import { ask, eventsOf, openPractice, post } from './practice-world.ts';

const script = (rules: unknown[], more = {}) => ({ about: 'a test', rules, ...more }) as unknown as PracticeScript;
const says = (text: string, more = {}) => script([{ name: 'say', steps: [{ say: text, ...more }] }]);
const hello = [{ role: 'user', content: 'hello' }];

test('a streamed answer has the events of the Messages API in their order, and the whole text', async () => {
  const practice = await openPractice(says('🌍🌍🌍🌍🌍🌍 Grüße', { stream_ms: 200, usage: { output_tokens: 7 } }));
  const started = performance.now();
  const response = await post(practice, { messages: hello, stream: true });
  const events = eventsOf(await response.text());
  expect(performance.now() - started).toBeGreaterThan(150);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start']);
  expect(types.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
  const deltas = events.filter(({ type }) => type === 'content_block_delta');
  expect(deltas.length).toBeGreaterThan(2);
  expect(deltas.map(({ data }) => data.delta.text).join('')).toBe('🌍🌍🌍🌍🌍🌍 Grüße');
  expect(deltas.filter(({ data }) => /\p{Surrogate}/u.test(data.delta.text))).toEqual([]);
  expect(events[0]!.data.message.usage).toMatchObject({ input_tokens: 3, output_tokens: 1 });
  expect(events.at(-2)!.data).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } });
});

test('a streamed tool call begins with an empty input that its deltas fill', async () => {
  const tool = { name: 'Write', input: { file_path: '/x "y"', content: 'a\nb' } };
  const practice = await openPractice(script([{ name: 'w', steps: [{ say: 'Now.', tools: [tool, tool] }] }]));
  const events = eventsOf(await (await post(practice, { messages: hello, stream: true })).text());
  const starts = events.filter(({ type }) => type === 'content_block_start').map(({ data }) => data);
  expect(starts.map(({ index, content_block }) => [index, content_block.type])).toEqual([
    [0, 'text'],
    [1, 'tool_use'],
    [2, 'tool_use'],
  ]);
  expect(starts[1]!.content_block).toEqual({ type: 'tool_use', id: expect.any(String), name: 'Write', input: {} });
  expect(starts[1]!.content_block.id).not.toBe(starts[2]!.content_block.id);
  const json = events.find(({ data }) => data.delta?.type === 'input_json_delta')!.data.delta.partial_json;
  expect(JSON.parse(json)).toEqual(tool.input);
  expect(events.at(-2)!.data.delta.stop_reason).toBe('tool_use');
});

test('an answer that is not streamed is one message', async () => {
  const practice = await openPractice(says('hi', { usage: { context: 45_200, output_tokens: 9 } }));
  const answer = await ask(practice, 'hello');
  expect(answer).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    stop_reason: 'end_turn',
  });
  expect(answer.content).toEqual([{ type: 'text', text: 'hi' }]);
  expect(answer.usage).toEqual({
    input_tokens: 3,
    cache_creation_input_tokens: 1200,
    cache_read_input_tokens: 43_997,
    output_tokens: 9,
  });
});

test('the four usage figures can be set one by one', async () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 300,
    output_tokens: 4000,
  };
  const practice = await openPractice(says('hi', { usage }));
  expect((await ask(practice, 'hello')).usage).toEqual(usage);
  expect(practice.requests()[0]!.context).toBe(321);
});

test('tokens are counted on request', async () => {
  const practice = await openPractice('agent');
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(4000) }] });
  const response = await fetch(`${practice.url}/v1/messages/count_tokens`, { method: 'POST', body });
  expect(((await response.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(1000);
  expect(practice.requests()).toEqual([]);
});

test.each([
  ['prompt_too_long', 400, 'invalid_request_error'],
  ['invalid_request', 400, 'invalid_request_error'],
  ['unauthorized', 401, 'authentication_error'],
  ['rate_limited', 429, 'rate_limit_error'],
  ['server_error', 500, 'api_error'],
  ['overloaded', 529, 'overloaded_error'],
])('the error %s is status %i, worded as the service words it', async (kind, status, type) => {
  const practice = await openPractice(script([{ name: 'e', steps: [{ error: kind, retry_after_s: 2 }] }]));
  const response = await post(practice, { messages: hello, stream: true });
  expect(response.status).toBe(status);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toMatchObject({ type: 'error', error: { type } });
  expect(practice.requests()[0]).toMatchObject({ error: kind, rule: 'e' });
});

test('a connection can be reset, and cut in the middle of an answer', async () => {
  const practice = await openPractice('puppet');
  await expect(ask(practice, 'error reset')).rejects.toThrow();
  const cut = await post(practice, { messages: [{ role: 'user', content: 'error cut' }], stream: true });
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow();
});

test('a hanging answer says nothing, and ends when the server does', async () => {
  const practice = await openPractice('puppet');
  const hanging = ask(practice, 'error hang').then(
    () => 'answered',
    () => 'ended',
  );
  const first = await Promise.race([hanging, new Promise(resolve => setTimeout(() => resolve('silent'), 300))]);
  expect(first).toBe('silent');
  await practice.close();
  expect(await hanging).toBe('ended');
});

test('a delay comes before the first byte', async () => {
  const practice = await openPractice(says('late', { delay_ms: 250 }));
  const started = performance.now();
  await post(practice, { messages: hello, stream: true });
  expect(performance.now() - started).toBeGreaterThan(240);
});

test('what was asked is recorded with the hash of the text as it was typed', async () => {
  const practice = await openPractice('agent');
  const typed = 'two lines;\n"quoted" 🌍 -x\n';
  const wrapped = ['<system-reminder>\nx\n</system-reminder>', '<command-name>/clear</command-name>', typed];
  const content = wrapped.map(text => ({ type: 'text', text }));
  await post(practice, { messages: [{ role: 'user', content }], system: 'x\n\nBATON_AGENT: bob\n', session: 's-9' });
  expect(practice.requests()).toEqual([
    expect.objectContaining({
      session: 's-9',
      agent: 'bob',
      kind: 'prompt',
      turn: 1,
      streamed: false,
      text: typed,
      sha256: createHash('sha256').update(typed).digest('hex'),
    }),
  ]);
});

test('a request without a session header is known by its metadata', async () => {
  const practice = await openPractice('agent');
  const metadata = { user_id: JSON.stringify({ session_id: 'from-metadata' }) };
  const body = JSON.stringify({ messages: hello, metadata });
  await fetch(`${practice.url}/v1/messages`, { method: 'POST', body });
  expect(practice.requests()[0]!.session).toBe('from-metadata');
});

test('other places are not found, and a body that is no JSON is refused', async () => {
  const practice = await openPractice('agent');
  expect((await fetch(`${practice.url}/v1/models`)).status).toBe(404);
  expect((await fetch(`${practice.url}/v1/messages`, { method: 'POST', body: '{' })).status).toBe(400);
});
