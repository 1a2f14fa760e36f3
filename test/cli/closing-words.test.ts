import { expect, test } from 'vitest';
import { eventLine } from '../../src/cli/event-line.ts';
import { faultText } from '../../src/cli/fault-text.ts';
import { verdictLines } from '../../src/cli/verdict-text.ts';
import type { Event } from '../../src/protocol/event.ts';
import { Fault } from '../../src/protocol/fault.ts';
import type { AgentReport, ExecutionReport, MergeResult } from '../../src/protocol/report.ts';
import { colourless } from '../../src/text/paint.ts';

const merge: MergeResult = {
  status: 'success',
  reason: null,
  merged_ctxpack: null,
  conflicts_detected: 0,
  conflicts_resolved: 0,
  validation_passed: null,
  merged_files: ['code', 'tests'],
  findings: [],
  resolutions: [],
  conflicts: [],
  record: null,
};

function toReport(agents: Partial<AgentReport>[], changes: Partial<ExecutionReport> = {}): ExecutionReport {
  const whole = { status: 'success', reason: null, logs: { stdout: '/w/out.log', stderr: '/w/err.log' } };
  return {
    execution_id: 'exec-1',
    status: 'success',
    duration_seconds: 65,
    agents: agents.map(agent => ({ ...whole, ...agent })),
    merge_result: merge,
    errors: [],
    warnings: [],
    ...changes,
  } as ExecutionReport;
}

test('a success is one line and the path of the report', () => {
  expect(verdictLines(toReport([{ agent_name: 'a' }]), '/w/execution_report.json', colourless)).toEqual([
    'success: exec-1, 1 done, 1:05, 2 paths merged',
    'report: /w/execution_report.json',
  ]);
});

test('a failed agent is told with its reason, its log and how to try again', () => {
  const agents: Partial<AgentReport>[] = [
    { agent_name: 'a' },
    { agent_name: 'b', status: 'failure', reason: 'exit code 1\u001b[2J\nand more' },
    { agent_name: 'c', status: 'skipped', reason: 'needs b', logs: null },
  ];
  expect(verdictLines(toReport(agents, { status: 'partial_success' }), '/r.json', colourless)).toEqual([
    'partial success: exec-1, 1 failed, 1 done, 1 skipped, 1:05, 2 paths merged',
    '  ✖ b failed: exit code 1 and more',
    '    log: /w/err.log',
    '  - c skipped: needs b',
    'report: /r.json',
    'next: baton retry exec-1 b',
  ]);
});

test('a merge with conflicts leads to `baton conflicts`', () => {
  const conflicts = [{ conflict: 'c1', path: 'x', agents: ['a', 'b'] }];
  const report = toReport([{ agent_name: 'a' }], {
    status: 'failure',
    merge_result: { ...merge, status: 'conflict', conflicts },
  });
  const lines = verdictLines(report, '/r.json', colourless);
  expect(lines[0]).toBe('failure: exec-1, 1 done, 1:05, 1 conflict to decide');
  expect(lines.slice(-2)).toEqual(['next: baton conflicts exec-1', 'next: baton merge exec-1 --take c1=<agent>']);
});

test('a fault shows what, where and the cure of every problem, harmlessly', () => {
  const problems = [
    { path: 'agents[0].timeout', message: 'must be a number', cure: 'write seconds' },
    { path: '', message: 'bad\u001b]0;x\u0007', cure: '' },
  ];
  const { lines, exitCode } = faultText(
    new Fault('invalid', 'the request has 2 problems', 'cure them', { problems }),
    colourless,
    false,
  );
  expect(exitCode).toBe(2);
  expect(lines).toEqual([
    'baton: the request has 2 problems',
    '  agents[0].timeout: must be a number',
    '    cure: write seconds',
    '  (whole file): bad',
    '  cure: cure them',
  ]);
});

test('any other error is internal: exit code 1, and the stack only when asked for', () => {
  const error = new TypeError('x is not a function');
  expect(faultText(error, colourless, false)).toMatchObject({ exitCode: 1 });
  expect(faultText(error, colourless, false).lines.join('\n')).not.toContain(' at ');
  expect(faultText(error, colourless, true).lines.join('\n')).toContain(error.stack);
});

const toEvent = (event: object) => ({ id: 1, time: '2026-01-02T10:00:00Z', agent: null, ...event }) as Event;

test.each([
  [
    { type: 'attempt_started', agent: 'a', data: { attempt: 2, session: 's' } },
    'a: started, attempt 2 (tmux session s)',
  ],
  [{ type: 'attempt_ended', agent: 'a', data: { attempt: 1, outcome: { status: 'success' } } }, 'a: done'],
  [
    {
      type: 'attempt_ended',
      agent: 'a',
      data: { attempt: 2, outcome: { status: 'failure', reason: 'no\u001b[2J\noutput' } },
    },
    'a: failed, attempt 2: no output',
  ],
  [{ type: 'held_back', data: { reason: 'disk' } }, 'baton: held back: disk'],
  [{ type: 'merge_ended', data: { result: merge } }, 'baton: merge success'],
  [{ type: 'cancel_requested', data: { reason: 'Ctrl-C' } }, 'baton: cancelling: Ctrl-C'],
])('an event becomes a plain line: %o', (event, line) => {
  expect(eventLine(toEvent(event))?.slice(9)).toBe(line);
});

test('events that say nothing to a person become no line', () => {
  expect(eventLine(toEvent({ type: 'attempt_opened', agent: 'a', data: { attempt: 1 } }))).toBeNull();
  expect(eventLine(toEvent({ type: 'warning', data: { message: 'x', severity: 'low' } }))).toBeNull();
});

test.each([
  ['debug', ['opened', 'started', 'warning', 'error']],
  ['info', ['started', 'warning', 'error']],
  ['warn', ['warning', 'error']],
  ['error', ['error']],
] as const)('log_level %s shows: %j', (level, shown) => {
  const events = {
    opened: toEvent({ type: 'attempt_opened', agent: 'a', data: { attempt: 1, pane: '%1', pid: 7 } }),
    started: toEvent({ type: 'attempt_started', agent: 'a', data: { attempt: 1, session: 's' } }),
    warning: toEvent({ type: 'warning', data: { message: 'x', severity: 'high' } }),
    error: toEvent({ type: 'error', data: { message: 'x' } }),
  };
  const told = Object.entries(events).filter(([, event]) => eventLine(event, level) !== null);
  expect(told.map(([name]) => name)).toEqual(shown);
});
