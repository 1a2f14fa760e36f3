import { expect, test } from 'vitest';
import { chooseAgent } from '../../src/cli/find-agent.ts';
import { toAgent, toStatus } from './sample-status.ts';

const toKnown = (id: string, isRunning: boolean, ...names: string[]) => {
  return { execution: { id, workspace: `/${id}` }, status: toStatus(names.map(name => toAgent(name))), isRunning };
};

test('a running execution comes before a newer one that ended', () => {
  const known = [toKnown('new', false, 'coder'), toKnown('old', true, 'coder')];
  expect(chooseAgent('coder', known).execution.id).toBe('old');
});

test('of executions that ended, the newest is meant', () => {
  expect(chooseAgent('coder', [toKnown('new', false, 'coder'), toKnown('old', false, 'coder')]).execution.id).toBe(
    'new',
  );
});

test('several that run are listed, and none is chosen', () => {
  const known = [toKnown('x', true, 'coder'), toKnown('y', true, 'coder')];
  expect(() => chooseAgent('coder', known)).toThrow(
    expect.objectContaining({ code: 'invalid', cure: 'name one: x/coder, y/coder' }),
  );
});

test('an unknown agent is refused with the nearest one', () => {
  expect(() => chooseAgent('codr', [toKnown('x', true, 'coder')])).toThrow(
    expect.objectContaining({ code: 'invalid', cure: 'did you mean "coder"?' }),
  );
});
