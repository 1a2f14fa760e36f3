// The verdict over a criterion that a page shows is the one the attempt was given.

import { expect, test } from 'vitest';
import { agentLines } from '../../src/dashboard/model/agent-lines.ts';
import { buildRows } from '../../src/dashboard/model/agent-row.ts';
import { failedOutcome } from '../../src/engine/start-attempts.ts';
import { wasMet } from '../../src/run/judge-attempt.ts';
import { colourless } from '../../src/text/paint.ts';
import { agent, NOW, seen } from './seen-world.ts';

const outcome = {
  ...failedOutcome('criterion "fast" the check failed; criterion "many" should be at least 3', {
    stdout: '',
    stderr: '',
  }),
  success_criteria_met: { fast: 5, many: '5', enough: 4, untold: null },
  success_criteria_evidence: { fast: 'checked', many: 'reported', enough: 'reported', untold: 'none' } as const,
};

test('a complaint of the check counts more than its figure, a text is no number, and what nobody looked at is open', () => {
  const verdict = (name: string) => wasMet(name, 3, outcome);
  expect(['fast', 'many', 'enough', 'untold', 'other'].map(verdict)).toEqual([false, false, true, null, null]);
  expect(wasMet('many', 3, { ...outcome, reason: 'exit code 1' })).toBe(false);
  expect(wasMet('untold', 3, { ...outcome, status: 'success' })).toBe(true);
});

test('the page of an agent shows that verdict, not one of its own', () => {
  const [row] = buildRows(seen([agent('a')]));
  const check = { name: 'many', wanted: '3', found: '5', evidence: 'reported', isMet: false };
  const request = { agent_name: 'a', agent_path: '/a', task: { description: 'd' } } as never;
  const detail = { key: row!.key, request, outputs: [], checks: [check], attempts: [], story: [], pane: null };
  const lines = agentLines(row!, detail, { width: 80, height: 40, now: NOW, paint: colourless });
  expect(lines.find(line => line.includes('wanted 3'))).toContain('✖');
});
