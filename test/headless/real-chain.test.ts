import { existsSync, readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { Fault, runWithContinuation } from '../../src/index.ts';
import { ChainResult } from '../../src/protocol/chain.ts';
import { echo, makeHeadlessWorld } from './headless-world.ts';

// A start of Claude Code takes half a second, on a busy machine ten times that.
vi.setConfig({ testTimeout: 90_000 });

// Claude Code compacts nothing but a conversation of some length.
const someLength = ['a', 'b', 'c', 'd'].map(text => ({ tools: [echo(text)], usage: { context: 20_000 } }));
const large = { cache_read_input_tokens: 100_000, output_tokens: 1000 };

test('a single run is shown readably, kept raw, and counted as Claude Code counts it', async () => {
  const world = await makeHeadlessWorld([
    { name: 'work', steps: [{ say: 'I look.', tools: [echo('found-it')] }, { say: 'All is done.' }] },
  ]);
  const { result, shown } = await world.run();
  expect(ChainResult.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    ended_by: 'completed',
    ended_well: true,
    continuations: 0,
    pre_compacted: false,
    turns: 2,
    cost_source: 'reported',
    permission_denials: [],
    output_tail: 'I look.\n\nAll is done.',
  });
  const last = world.raw().findLast(line => line.type === 'result');
  expect(result.final_session_id).toBe(last.session_id);
  expect(result.cost_usd).toBeCloseTo(last.total_cost_usd, 5);
  expect(result.cost_usd).toBeGreaterThan(0);
  expect(result.tokens.cache_read).toBe(last.usage.cache_read_input_tokens);
  expect(shown).toMatch(/● I look\.\n→ Bash echo found-it\n {2}↳ found-it\n● All is done\.\n── ended: completed/);
  expect(readdirSync(world.folder)).not.toContain('raw.ndjson.settings.json');
});

test('three sessions follow one another when turns run out, each told what the one before handed over', async () => {
  const world = await makeHeadlessWorld([
    { name: 'one', when: { session: 1 }, steps: [{ say: 'First words.', tools: [echo('a')] }, { say: 'never' }] },
    {
      name: 'two',
      when: { session: 2 },
      steps: [{ say: '## Handoff\nleft: the second half', tools: [echo('b')] }, { say: 'never' }],
    },
    { name: 'three', when: { session: 3 }, steps: [{ say: 'Finished.\n\nHANDOFF: COMPLETE' }] },
  ]);
  const { result, shown } = await world.run({ limits: { max_agent_turns: 1 } });
  expect(result.sessions.map(session => [session.ended_by, session.handoff])).toEqual([
    ['max_turns', 'none'],
    ['max_turns', 'incomplete'],
    ['completed', 'complete'],
  ]);
  expect(result).toMatchObject({
    ended_well: true,
    continuations: 2,
    stopped_because: expect.stringContaining('COMPLETE'),
  });
  expect(new Set(result.sessions.map(session => session.session_id)).size).toBe(3);
  expect(result.final_session_id).toBe(result.sessions[2]!.session_id);
  const sum = result.sessions.reduce((total, session) => total + session.cost_usd, 0);
  expect(result.cost_usd).toBeCloseTo(sum, 6);
  expect(result.output_tail).toContain('First words.');
  expect(result.output_tail).toContain('Finished.');
  const [first, second, third] = world.prompts();
  expect(first!.text).toBe('TASK: write the report');
  expect(second!.text).toContain('TASK: write the report');
  expect(second!.text).toContain('First words.');
  expect(third!.text).toContain('left: the second half');
  expect(shown).toContain('the turns ran out: a fresh session goes on from its HANDOFF section');
});

test('COMPLETE never continues, even where the turns ran out', async () => {
  const world = await makeHeadlessWorld([
    { name: 'one', steps: [{ say: 'HANDOFF: COMPLETE', tools: [echo('a')] }, { say: 'never' }] },
  ]);
  const { result } = await world.run({ limits: { max_agent_turns: 1 } });
  expect(result).toMatchObject({ continuations: 0, ended_by: 'completed', ended_well: true });
  expect(world.prompts()).toHaveLength(1);
});

test('at the last continuation allowed it stops and says that turns ran out', async () => {
  const world = await makeHeadlessWorld([{ name: 'any', steps: [{ say: 'x', tools: [echo('a')] }, { say: 'never' }] }]);
  const { result } = await world.run({ limits: { max_agent_turns: 1, max_agent_continuations: 1 } });
  expect(result).toMatchObject({ continuations: 1, ended_by: 'max_turns', ended_well: false });
  expect(result.stopped_because).toContain('max_agent_continuations is used up');
});

test('the cost cap stops the chain in the middle of its second session', async () => {
  const endless = Array.from({ length: 12 }, (_, n) => ({ say: `step ${n}`, tools: [echo(String(n))], usage: large }));
  const world = await makeHeadlessWorld([
    { name: 'one', when: { session: 1 }, steps: [{ say: 'x', tools: [echo('a')], usage: large }, { say: 'never' }] },
    { name: 'two', when: { session: 2 }, steps: [...endless, { say: 'HANDOFF: COMPLETE' }] },
  ]);
  // Each answer costs about 4.5 cents.
  const { result } = await world.run({ limits: { max_agent_turns: 1, max_chain_cost_usd: 0.06 } });
  expect(result).toMatchObject({ continuations: 1, ended_by: 'cost_cap', ended_well: false });
  expect(result.stopped_because).toContain('max_chain_cost_usd');
  expect(result.cost_usd).toBeGreaterThanOrEqual(0.06);
  expect(result.cost_usd).toBeLessThan(0.2);
  expect(world.prompts().length).toBeLessThan(5);
});

test('a full context is not compacted: the section is asked for, and a fresh session goes on from it', async () => {
  const full = { context: 80_000 };
  const world = await makeHeadlessWorld([
    {
      name: 'handoff',
      // Typed during a turn, it reaches the model in a message of the system.
      when: { session: 1, system: 'The context of this session is full', tool_result: '' },
      steps: [{ say: '## HANDOFF\nleft: chapter seven', usage: full }],
    },
    {
      name: 'one',
      when: { session: 1 },
      steps: [
        ...someLength,
        { say: 'much', tools: [echo('e')], usage: full },
        { say: 'more', tools: [echo('f')], usage: full, delay_ms: 600 },
        { say: 'and more', tools: [echo('g')], usage: full, delay_ms: 600 },
        { say: 'not asked', usage: full },
      ],
    },
    { name: 'two', when: { session: 2 }, steps: [{ say: 'Chapter seven is written.' }] },
  ]);
  const { result, shown } = await world.run({ arguments: ['--autocompact', '100k'] });
  expect(result.sessions.map(session => [session.ended_by, session.pre_compacted])).toEqual([
    ['context_full', true],
    ['completed', false],
  ]);
  expect(result).toMatchObject({ pre_compacted: true, continuations: 1, ended_well: true });
  expect(world.raw().some(line => line.subtype === 'compact_boundary')).toBe(false);
  expect(world.practice.requests().some(request => request.kind === 'compact')).toBe(false);
  expect(world.prompts().at(-1)!.text).toContain('left: chapter seven');
  expect(shown).toContain('the context is full: a fresh session goes on from its HANDOFF section');
  expect(existsSync(`${world.folder}/raw.ndjson.compaction`)).toBe(false);
});

test('a prompt that the server finds too long is a full context, not an API error', async () => {
  const world = await makeHeadlessWorld([
    { name: 'one', when: { session: 1 }, steps: [{ say: 'Half.', tools: [echo('a')] }, { error: 'prompt_too_long' }] },
    { name: 'two', when: { session: 2 }, steps: [{ say: 'Whole.' }] },
  ]);
  const { result } = await world.run();
  expect(result.sessions.map(session => session.ended_by)).toEqual(['context_full', 'completed']);
  expect(result).toMatchObject({ pre_compacted: true, continuations: 1, ended_well: true });
  expect(world.prompts().at(-1)!.text).toContain('Half.');
});

test('continuations off leave Claude Code to compact by itself, and the result says it met compaction', async () => {
  const world = await makeHeadlessWorld([
    {
      name: 'one',
      steps: [...someLength, { say: 'much', tools: [echo('e')], usage: { context: 80_000 } }, { say: 'Done.' }],
    },
  ]);
  const more = { arguments: ['--autocompact', '100k'], limits: { max_agent_continuations: 0 } };
  const { result } = await world.run(more);
  expect(result).toMatchObject({ continuations: 0, pre_compacted: true, ended_by: 'completed' });
  expect(world.practice.requests().some(request => request.kind === 'compact')).toBe(true);
});

test('a tool that was not permitted is told apart from a plain success', async () => {
  const world = await makeHeadlessWorld([
    {
      name: 'one',
      steps: [
        { tools: [{ name: 'Bash', input: { command: 'touch /tmp/bt-hl-never', description: 'x' } }] },
        { say: 'I could not.' },
      ],
    },
  ]);
  const { result, shown } = await world.run();
  expect(result).toMatchObject({
    ended_by: 'completed_with_denials',
    ended_well: true,
    permission_denials: [{ tool: 'Bash', input: 'touch /tmp/bt-hl-never' }],
  });
  expect(shown).toContain('! not permitted: Bash touch /tmp/bt-hl-never');
  expect(existsSync('/tmp/bt-hl-never')).toBe(false);
});

test.each([
  ['unauthorized', 401],
  ['overloaded', 529],
])('an API error (%s) is no success, whatever its subtype says', async (error, status) => {
  const world = await makeHeadlessWorld([{ name: 'one', steps: [{ error }] }]);
  const { result, shown } = await world.run();
  expect(world.raw().findLast(line => line.type === 'result').subtype).toBe('success');
  expect(result).toMatchObject({ ended_by: 'api_error', ended_well: false, continuations: 0, output_tail: '' });
  expect(result.sessions[0]!.api_error_status).toBe(status);
  expect(result.reason).toBe(world.raw().findLast(line => line.type === 'result').result);
  expect(shown).toContain('ended: api_error');
});

test('the library form fills in defaults, and refuses settings that cannot be used by field', async () => {
  const world = await makeHeadlessWorld([{ name: 'one', steps: [{ say: 'Said.' }] }]);
  const { claude_path, cwd, env, raw_file, result_file } = world.settingsOf();
  const settings = { claude_path, cwd, env, raw_file, result_file, prompt: 'Say it.' };
  const shown: string[] = [];
  const result = await runWithContinuation({ settings, print: lines => void shown.push(...lines) });
  expect(result).toMatchObject({ ended_by: 'completed', output_tail: 'Said.' });
  expect(shown).toContain('● Said.');
  const limits = { max_agent_continuations: 4 };
  const refused = await runWithContinuation({ settings: { ...settings, limits } }).catch(error => error);
  expect(refused).toBeInstanceOf(Fault);
  expect(refused.message).toContain('limits.max_agent_continuations: is over the hard cap of 3');
});
