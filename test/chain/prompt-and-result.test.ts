import { expect, test } from 'vitest';
import { buildContinuationPrompt, handoffQuestion, handoffRule } from '../../src/chain/build-continuation-prompt.ts';
import { combineResults, joinOutputs } from '../../src/chain/combine-results.ts';
import { parseHandoff } from '../../src/chain/parse-handoff.ts';
import { ChainResult } from '../../src/protocol/chain.ts';
import { sessionResult } from './session-result.ts';

const from = {
  task: 'Write /w/report.md',
  handoff: { isComplete: false, body: 'done: a; left: b' },
  output: 'first words … last words',
  because: 'context_full' as const,
  number: 1,
  most: 2,
};

test('a continuation is told the task and what was handed over, and not the rest of the output', () => {
  const prompt = buildContinuationPrompt(from);
  expect(prompt).toContain('Write /w/report.md');
  expect(prompt).toContain('done: a; left: b');
  expect(prompt).toContain('its context was full');
  expect(prompt).toContain('continuation 1 of at most 2');
  expect(prompt).not.toContain('last words');
});

test('without a section it goes on from the task and the end of the output', () => {
  const output = `${'old '.repeat(10_000)}\nI was about to write b`;
  const prompt = buildContinuationPrompt({ ...from, handoff: null, output, because: 'max_turns' });
  expect(prompt).toContain('Write /w/report.md');
  expect(prompt).toContain('I was about to write b');
  expect(prompt).toContain('its turns ran out');
  expect(prompt).toMatch(/characters left out/);
  expect(prompt.length).toBeLessThan(8000);
});

test('an empty section and no output are said as such', () => {
  const handoff = { isComplete: false, body: '' };
  expect(buildContinuationPrompt({ ...from, handoff })).toContain('last words');
  expect(buildContinuationPrompt({ ...from, handoff, output: ' \n' })).toContain('no handoff and no output');
});

test('a handoff too long for a prompt keeps its beginning', () => {
  const body = `start ${'x'.repeat(100_000)}`;
  const prompt = buildContinuationPrompt({ ...from, handoff: { isComplete: false, body } });
  expect(prompt.length).toBeLessThan(26_000);
  expect(prompt).toContain('start x');
});

test('our own words are never taken for a handoff of the agent', () => {
  for (const text of [handoffRule, handoffQuestion, buildContinuationPrompt({ ...from, handoff: null, output: '' })]) {
    expect(parseHandoff(text)).toBeNull();
    expect(text).not.toMatch(/^\s*[/!#]/);
  }
});

test('three sessions become one result: sums, joined output, last session, continuations, compaction', () => {
  const tokens = { input: 1, output: 2, cache_read: 30, cache_creation: 4 };
  const result = combineResults(
    [
      {
        result: sessionResult({
          session_id: 'a',
          cost_usd: 0.1,
          turns: 3,
          tokens,
          pre_compacted: true,
          ended_by: 'context_full',
        }),
        output: 'one\n',
      },
      {
        result: sessionResult({ session_id: 'b', cost_usd: 0.2, turns: 4, tokens, ended_by: 'max_turns' }),
        output: ' ',
      },
      { result: sessionResult({ session_id: 'c', cost_usd: 0.3, turns: 5, tokens }), output: 'three' },
    ],
    'why',
  );
  expect(ChainResult.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    cost_usd: 0.6,
    cost_source: 'reported',
    tokens: { input: 3, output: 6, cache_read: 90, cache_creation: 12 },
    turns: 12,
    continuations: 2,
    pre_compacted: true,
    final_session_id: 'c',
    ended_by: 'completed',
    ended_well: true,
    stopped_because: 'why',
    output_tail: 'one\n\nthree',
  });
  expect(result.sessions.map(session => session.session_id)).toEqual(['a', 'b', 'c']);
});

test('a chain is as bad as its last session, and its cost an estimate when one of them is', () => {
  const result = combineResults(
    [
      { result: sessionResult({ cost_source: 'estimated' }), output: 'x'.repeat(20_000) },
      {
        result: sessionResult({ ended_by: 'api_error', reason: 'API Error: 529', api_error_status: 529 }),
        output: 'y',
      },
    ],
    'why',
  );
  expect(result).toMatchObject({
    ended_well: false,
    ended_by: 'api_error',
    reason: 'API Error: 529',
    cost_source: 'estimated',
  });
  expect(result.output_tail).toHaveLength(8000);
  expect(result.output_tail.endsWith('y')).toBe(true);
});

test('outputs are joined in order', () => {
  const session = (output: string) => ({ result: sessionResult({}), output });
  expect(joinOutputs([session('a'), session('b')])).toBe('a\n\nb');
});
