import { expect, test } from 'vitest';
import { type ContinuationFacts, decideContinuation } from '../../src/chain/decide-continuation.ts';
import { ChainLimits, HeadlessSettings, MAX_CONTINUATIONS_CAP } from '../../src/protocol/chain.ts';

const quiet: ContinuationFacts = {
  endedBy: 'completed',
  preCompacted: false,
  hitMaxTurns: false,
  handoff: null,
  continuations: 0,
  chainCostUsd: 0.1,
  inFlightUsd: 0,
};
const unfinished = { isComplete: false, body: 'left: b' };
const complete = { isComplete: true, body: '' };
const full = { endedBy: 'context_full', preCompacted: true } as const;
const turns = { endedBy: 'max_turns', hitMaxTurns: true } as const;

test.each<[string, Partial<ContinuationFacts>, Partial<ChainLimits>, string]>([
  ['the context filled, with a handoff', { ...full, handoff: unfinished }, {}, 'goes on: context_full'],
  ['the context filled, without one', full, {}, 'goes on: context_full'],
  ['turns ran out, with a handoff', { ...turns, handoff: unfinished }, {}, 'goes on: max_turns'],
  ['turns ran out, without one', turns, {}, 'goes on: max_turns'],
  ['both happened', { ...full, hitMaxTurns: true }, {}, 'goes on: context_full'],
  ['COMPLETE after the context filled', { ...full, handoff: complete }, {}, 'stops: complete'],
  ['COMPLETE after turns ran out', { ...turns, handoff: complete }, {}, 'stops: complete'],
  ['COMPLETE and no limit', { handoff: complete }, {}, 'stops: complete'],
  ['no handoff and no limit', {}, {}, 'stops: no_limit_hit'],
  ['a handoff but no limit', { handoff: unfinished }, {}, 'stops: no_limit_hit'],
  ['refused tools but no limit', { endedBy: 'completed_with_denials' }, {}, 'stops: no_limit_hit'],
  ['an API error', { endedBy: 'api_error' }, {}, 'stops: ended_badly'],
  ['an API error after the context filled', { ...full, endedBy: 'api_error' }, {}, 'stops: ended_badly'],
  ['a crash', { endedBy: 'error' }, {}, 'stops: ended_badly'],
  ['a cancel', { ...full, endedBy: 'cancelled' }, {}, 'stops: ended_badly'],
  ['the time was up', { ...turns, endedBy: 'timeout' }, {}, 'stops: ended_badly'],
  ['silence', { endedBy: 'stalled' }, {}, 'stops: ended_badly'],
  ['the default of two is used up', { ...full, continuations: 2 }, {}, 'stops: max_continuations'],
  ['one of two is left', { ...full, continuations: 1 }, {}, 'goes on: context_full'],
  ['three are allowed', { ...turns, continuations: 2 }, { max_agent_continuations: 3 }, 'goes on: max_turns'],
  [
    'more than the cap is asked for',
    { ...turns, continuations: 3 },
    { max_agent_continuations: 9 },
    'stops: max_continuations',
  ],
  ['they are off', full, { max_agent_continuations: 0 }, 'stops: off'],
  ['the money is spent', { ...full, chainCostUsd: 2 }, {}, 'stops: cost_cap'],
  [
    'the money is spent with what is in flight',
    { ...turns, chainCostUsd: 1.5, inFlightUsd: 0.5 },
    {},
    'stops: cost_cap',
  ],
  ['a little money is left', { ...turns, chainCostUsd: 1.5, inFlightUsd: 0.49 }, {}, 'goes on: max_turns'],
  ['another cap of the cost', { ...turns, chainCostUsd: 0.3 }, { max_chain_cost_usd: 0.25 }, 'stops: cost_cap'],
  ['the session was stopped for its cost', { ...turns, endedBy: 'cost_cap' }, {}, 'stops: cost_cap'],
])('when %s', (_what, facts, limits, expected) => {
  const decision = decideContinuation({ ...quiet, ...facts }, { ...ChainLimits.parse({}), ...limits });
  expect(`${decision.goesOn ? 'goes on' : 'stops'}: ${decision.because}`).toBe(expected);
});

test('the limits have the defaults that were promised, and a hard cap that cannot be asked away', () => {
  expect(ChainLimits.parse({})).toMatchObject({
    max_agent_continuations: 2,
    max_chain_cost_usd: 2,
    max_agent_turns: 30,
  });
  expect(MAX_CONTINUATIONS_CAP).toBe(3);
  expect(ChainLimits.parse({ max_agent_continuations: 3 }).max_agent_continuations).toBe(3);
  expect(() => ChainLimits.parse({ max_agent_continuations: 4 })).toThrow(/hard cap of 3; split the task/);
  expect(() => ChainLimits.parse({ max_agent_turns: 0 })).toThrow();
});

test('nothing is bypassed unless it is asked for by name, and unknown keys are refused', () => {
  const least = { claude_path: '/c', cwd: '/', prompt: 'x', raw_file: '/r', result_file: '/s' };
  expect(HeadlessSettings.parse(least)).toMatchObject({ permission_mode: 'acceptEdits', env: {}, model: null });
  expect(HeadlessSettings.parse({ ...least, permission_mode: 'bypassPermissions', env: { A: 'b' } })).toMatchObject({
    permission_mode: 'bypassPermissions',
    env: { A: 'b' },
  });
  expect(() => HeadlessSettings.parse({ ...least, permission_mode: 'everything' })).toThrow();
  expect(() => HeadlessSettings.parse({ ...least, dangerously: true })).toThrow();
  expect(() => HeadlessSettings.parse({ ...least, raw_file: 'r' })).toThrow(/absolute path/);
});
