import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStreamLine } from '../../src/headless/read-stream.ts';
import { renderEvent } from '../../src/headless/render-event.ts';
import {
  addEvent,
  isSpendReported,
  newTally,
  spentUsd,
  tokensOf,
  turnsOf,
  withSpend,
} from '../../src/headless/session-tally.ts';

const line = (value: unknown) => readStreamLine(JSON.stringify(value));
const usage = {
  input_tokens: 3,
  cache_creation_input_tokens: 1000,
  cache_read_input_tokens: 100_000,
  output_tokens: 1,
};
const said = (id: string, content: unknown[], more = {}) =>
  line({
    type: 'assistant',
    message: { id, model: 'claude-opus-5-5', content, usage },
    parent_tool_use_id: null,
    ...more,
  });
const text = (words: string) => ({ type: 'text', text: words });
const result = (more = {}) =>
  line({ type: 'result', subtype: 'success', is_error: false, result: 'ok', num_turns: 2, ...more });
const fold = (...events: ReturnType<typeof line>[]) => events.reduce(addEvent, newTally);

test('lines of any kind are read without a throw, and the unknown is skipped', () => {
  const types = fc.constantFrom(
    'system',
    'assistant',
    'user',
    'result',
    'control_response',
    'command_lifecycle',
    'new',
  );
  fc.assert(
    fc.property(
      types,
      fc.dictionary(
        fc.constantFrom(
          'message',
          'subtype',
          'response',
          'usage',
          'modelUsage',
          'errors',
          'permission_denials',
          'content',
        ),
        fc.jsonValue(),
      ),
      (type, more) => {
        const event = line({ type, ...more });
        expect(typeof event.kind).toBe('string');
        expect(Array.isArray(renderEvent(event))).toBe(true);
        expect(spentUsd(fold(event))).toBeGreaterThanOrEqual(0);
      },
    ),
  );
  for (const junk of ['', 'not json', '[]', 'null', '"x"', '{"type":"brand_new"}']) {
    expect(readStreamLine(junk)).toEqual({ kind: 'other' });
  }
});

test('the blocks of one answer are counted once, and its words kept in order', () => {
  const tally = fold(said('m1', [text('a')]), said('m1', [text('b')]), said('m2', [text('c')]));
  expect(tally.output).toEqual(['a', 'b', 'c']);
  expect(tokensOf(tally)).toMatchObject({ input: 6, cache_read: 200_000, cache_creation: 2000 });
});

test('words of subagents and of Claude Code itself are no output, but what a subagent used is counted', () => {
  const tally = fold(
    said('m1', [text('sub')], { parent_tool_use_id: 'toolu_1' }),
    line({ type: 'assistant', message: { id: 'e', model: '<synthetic>', content: [text('API Error')], usage } }),
  );
  expect(tally.output).toEqual([]);
  expect(tokensOf(tally).cache_read).toBe(100_000);
});

test('spend in flight is estimated until Claude Code reports it, and its figure then replaces the estimate', () => {
  const before = fold(said('m1', [text('a')]));
  // 3 + 1000 + 100,000 tokens of input: two and a half cents.
  expect(spentUsd(before)).toBeCloseTo(0.025, 3);
  expect(isSpendReported(before)).toBe(false);
  const later = addEvent(before, said('m2', [text('b')]));
  const spend = { costUsd: 0.02, usage: { input: 3, output: 9, cacheRead: 100_000, cacheCreation: 1000 } };
  const answered = withSpend(later, spend, before.seen);
  expect(spentUsd(answered)).toBeCloseTo(0.045, 3);
  expect(tokensOf(answered)).toMatchObject({ output: 10, cache_read: 200_000 });
  const ended = addEvent(
    answered,
    result({ total_cost_usd: 0.05, modelUsage: { m: { outputTokens: 20, inputTokens: 6 } } }),
  );
  expect(spentUsd(ended)).toBe(0.05);
  expect(isSpendReported(ended)).toBe(true);
  expect(tokensOf(ended)).toMatchObject({ input: 6, output: 20 });
});

test('a late block of an answer that was already reported costs nothing more', () => {
  const first = fold(said('m1', [text('a')]));
  const reported = withSpend(
    first,
    { costUsd: 1, usage: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 } },
    first.seen,
  );
  expect(spentUsd(addEvent(reported, said('m1', [text('b')])))).toBe(1);
});

test('an answer without a figure leaves the estimate standing', () => {
  const before = fold(said('m1', [text('a')]));
  expect(withSpend(before, null, before.seen)).toEqual(before);
});

test('turns of all results are added up', () => {
  expect(turnsOf(fold(result(), result({ num_turns: 3 })))).toBe(5);
});

test.each([
  ['words', said('m', [text('one\ntwo')]), ['● one', '  two']],
  ['a tool', said('m', [{ type: 'tool_use', name: 'Bash', input: { command: 'ls -l' } }]), ['→ Bash ls -l']],
  ['a tool without a known field', said('m', [{ type: 'tool_use', name: 'X', input: { a: 1 } }]), ['→ X {"a":1}']],
  ['a subagent', said('m', [text('hi')], { parent_tool_use_id: 't' }), ['    ● hi']],
  [
    'a result',
    line({ type: 'user', message: { content: [{ type: 'tool_result', content: 'a\nb\nc\nd\ne\nf\ng\nh' }] } }),
    ['  ↳ a', '    b', '    c', '    d', '    e', '    f', '    … 2 more lines'],
  ],
  [
    'a failed tool',
    line({
      type: 'user',
      message: { content: [{ type: 'tool_result', is_error: true, content: [{ type: 'text', text: 'no' }] }] },
    }),
    ['  ✗ no'],
  ],
  ['a full context', line({ type: 'system', subtype: 'status', status: 'compacting' }), ['! the context is full']],
  ['the end of that state', line({ type: 'system', subtype: 'status', status: null }), []],
  [
    'a refused tool',
    line({ type: 'system', subtype: 'permission_denied', tool_name: 'Bash', message: 'needs approval' }),
    ['! permission denied: Bash: needs approval'],
  ],
  [
    'a retry',
    line({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, error_status: 529, error: 'overloaded' }),
    ['! API 529 overloaded: retry 1 of 10'],
  ],
  ['control sequences', said('m', [text('\u001b[31mred\u001b]0;title\u0007')]), ['● red']],
])('shows %s', (_what, event, lines) => {
  expect(renderEvent(event)).toEqual(lines);
});
