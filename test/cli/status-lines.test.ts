import { expect, test } from 'vitest';
import { changeLines, statusLines } from '../../src/cli/status-lines.ts';
import { colourless } from '../../src/text/paint.ts';
import { START, toAgent, toRunning, toStatus } from './sample-status.ts';

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
    options: [],
    digest: 'd',
    asked_at: '2026-01-02T10:00:00Z',
  };
  expect(told({ question })).toEqual(['a: running, asks (permission): Run rm? more']);
  expect(told({ parked: { reason: 'usage limit', until: null } })).toEqual([
    'a: running, until somebody acts: usage limit',
  ]);
  expect(told({ held_by: 'you' })).toEqual(['a: running, held by you']);
  expect(
    told({
      context: { tokens: 5, window: null, source: 'record', session_id: null, at: '2026-01-02T10:00:00Z' },
      cost_usd: 1,
    }),
  ).toEqual([]);
});
