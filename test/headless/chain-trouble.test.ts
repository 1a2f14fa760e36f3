import { expect, test } from 'vitest';
import { combineResults } from '../../src/chain/combine-results.ts';
import { chainTrouble } from '../../src/engine/chain-trouble.ts';
import type { SessionResult } from '../../src/protocol/chain.ts';
import { sessionResult } from '../chain/session-result.ts';

const now = Date.parse('2026-01-01T12:00:00.000Z');
const endOf = (more: Partial<SessionResult>) =>
  chainTrouble(combineResults([{ result: sessionResult(more), output: '' }], ''), { now, attempt: 1, chance: 1 });
const refusal = (api_error_status: number | null, reason: string) =>
  endOf({ ended_by: 'api_error', api_error_status, reason });

test.each([
  [429, 'API Error: Request rejected (429)'],
  [529, 'API Error: Repeated 529 Overloaded errors'],
  [500, 'API Error: Internal server error'],
  [503, 'API Error: unavailable'],
])('a %d closes the account for a few seconds, and the agent may try again', (status, reason) => {
  expect(refusal(status, reason)).toEqual({ gate: { reason, until: now + 5000 }, mayRetry: true });
});

test('a used-up account is closed until it resets, or for five minutes where nobody says when', () => {
  const until = Date.parse('2026-01-01T19:00:00.000Z');
  expect(refusal(429, "You've hit your session limit · resets 7pm (UTC)")).toMatchObject({ gate: { until } });
  expect(refusal(null, 'Claude usage limit reached')).toMatchObject({ gate: { until: now + 300_000 }, mayRetry: true });
});

test('a lost login closes the account, and the same agent does not knock again', () => {
  const ended = refusal(401, 'Invalid API key · Fix external API key');
  expect(ended).toMatchObject({ gate: { until: now + 300_000 }, mayRetry: false });
});

test('what is not the fault of the account leaves it open', () => {
  expect(refusal(400, 'API Error: 400 bad')).toEqual({ gate: null, mayRetry: false });
  expect(endOf({ ended_by: 'cost_cap' })).toEqual({ gate: null, mayRetry: false });
  expect(endOf({ ended_by: 'max_turns' })).toEqual({ gate: null, mayRetry: true });
  expect(endOf({ ended_by: 'completed' })).toEqual({ gate: null, mayRetry: true });
});
