import { expect, test } from 'vitest';
import { changeLines as changesOf, statusLines } from '../../src/cli/status-lines.ts';
import type { Status } from '../../src/protocol/status.ts';
import { colourless } from '../../src/text/paint.ts';
import { claude } from '../dashboard/seen-world.ts';
import { START, toAgent, toRunning, toStatus } from './sample-status.ts';

const look = (status: Status, steps = new Map<string, string>()) => ({ status, steps });
const changeLines = (before: Status | null, after: Status) =>
  changesOf(before === null ? null : look(before), look(after));
const frame = { width: 100, height: 24, now: START + 1000, paint: colourless };

test('a status without an engine tells how to go on', () => {
  const status = toStatus([toRunning('a')]);
  expect(statusLines(status, false, frame).at(-1)).toBe('no engine is running; to go on: baton resume exec-1');
  expect(statusLines(status, true, frame).join('\n')).not.toContain('resume');
  expect(statusLines({ ...status, status: 'success' }, false, frame).join('\n')).not.toContain('resume');
});

test('only what changed is told, and a last line alone is no change', () => {
  const before = toStatus([toRunning('a', 'one'), toAgent('b')]);
  expect(changeLines(null, before)).toHaveLength(3);
  expect(changeLines(before, toStatus([toRunning('a', 'two'), toAgent('b')]))).toEqual([]);
  const after = toStatus([toRunning('a', 'two'), { ...toRunning('b'), attempt: 2, note: 'again\u001b[2J' }]);
  expect(changeLines(before, after).map(line => line.slice(9))).toEqual(['b: running, attempt 2, again']);
});

test('a change of the execution itself is told', () => {
  const before = toStatus([toAgent('a')]);
  const after = toStatus([toAgent('a')], { status: 'success', phase: 'done' });
  expect(changeLines(before, after).map(line => line.slice(9))).toEqual(['exec-1: success, phase done']);
});

test('a question, a park and a held pane are changes, told in one clean line each; tokens alone are none', () => {
  const claude = {
    state: 'idle',
    session_id: null,
    context: null,
    cost_usd: null,
    nudges: 0,
    restarts: 0,
    question: null,
    parked: null,
    held_by: null,
    sources: {},
  } as const;
  const now = (changes: object) => toStatus([{ ...toRunning('a'), claude: { ...claude, ...changes } }]);
  const told = (changes: object) => changeLines(now({}), now(changes)).map(line => line.slice(9));
  const question = {
    kind: 'permission',
    title: 'Run \u001b]0;x\u0007rm?\nmore',
    options: [
      { number: 1, label: 'Yes' },
      { number: 2, label: 'No' },
    ],
    digest: 'd',
    asked_at: '2026-01-02T10:00:00Z',
  };
  expect(told({ question })).toEqual([
    'a: asks (permission): Run rm? more [1 Yes · 2 No · baton answer exec-1/a <number>]',
  ]);
  expect(told({ state: 'login' })).toEqual(['a: stuck, its screen: login']);
  expect(told({ parked: { reason: 'usage limit', until: null } })).toEqual([
    'a: running, until somebody acts: usage limit',
  ]);
  expect(told({ held_by: 'you' })).toEqual(['a: held, held by you']);
  expect(
    told({
      context: { tokens: 5, window: null, source: 'record', session_id: null, at: '2026-01-02T10:00:00Z' },
      cost_usd: 1,
    }),
  ).toEqual([]);
});

test('a step of a handoff is a change, and so is a context that grew by a good deal', () => {
  const context = (tokens: number) => ({ ...claude({}).context!, tokens });
  const at = (tokens: number) =>
    toStatus([{ ...toRunning('a'), pane: '%1', claude: claude({ context: context(tokens) }) }]);
  const told = (before: Parameters<typeof changesOf>[0], after: Parameters<typeof changesOf>[1]) =>
    changesOf(before, after).map(line => line.slice(9));
  expect(told(look(at(30_000)), look(at(40_000)))).toEqual([]);
  expect(told(look(at(30_000)), look(at(55_000)))).toEqual(['a: running, context 55k']);
  expect(told(look(at(30_000)), look(at(30_000), new Map([['%1', 'writing']])))).toEqual([
    'a: handoff, handoff: writing, context 30k',
  ]);
});

test('a status names who asks, and how to answer', () => {
  const question = {
    kind: 'question',
    title: 'Which?',
    options: [{ number: 1, label: 'x' }],
    digest: 'd',
    asked_at: '',
  };
  const agents = [{ ...toRunning('a'), claude: claude({ question: question as never }) }];
  const lines = statusLines(toStatus(agents), true, frame);
  expect(lines[0]).toContain('1 asks');
  expect(lines.at(-1)).toBe('to answer a: 1 x · baton answer exec-1/a <number>');
});
