import { expect, test } from 'vitest';
import { costLines, figure } from '../../src/cli/cost-lines.ts';
import { planLines } from '../../src/cli/plan-lines.ts';
import { type CostItem, sumCosts } from '../../src/pages/costs.ts';
import { buildPlan } from '../../src/pages/plan.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { colourless } from '../../src/text/paint.ts';
import { expectHarmless, hostile } from '../pages/sample-page.ts';

const agent = (agent_name: string, dependencies: string[], inputs: Record<string, string> = {}) => ({
  agent_name,
  agent_path: 'agents/x',
  task: { description: 'work', inputs, outputs: { out: `outputs/${agent_name}/site` } },
  dependencies,
  timeout: 60,
});
const request = ExecutionRequest.parse({
  execution_id: 'exec-1',
  workspace_root: '/w',
  agents: [
    agent('plan', []),
    agent('a', ['plan'], { plan: 'outputs/plan/site/x.md' }),
    agent('b', ['plan']),
    agent('c', ['a', 'b']),
  ],
  execution_options: { parallel_limit: 1 },
});
const facts = { problems: [], statuses: new Map() };
const item = (changes: Partial<CostItem>): CostItem => ({
  execution: 'e1',
  agent: 'a',
  attempt: 1,
  at: Date.parse('2026-01-02T12:00:00'),
  costUsd: 1,
  isRunning: false,
  isEstimated: false,
  sessions: ['s1'],
  continuations: 0,
  ...changes,
});

test('a plan knows waves, the crowd before a limit, who makes an input, the longest chain and what meets', () => {
  const plan = buildPlan(request, facts);
  expect(plan.waves).toEqual([['plan'], ['a', 'b'], ['c']]);
  expect(plan.agents.find(each => each.name === 'a')?.inputs).toEqual([
    { name: 'plan', path: 'outputs/plan/site/x.md', from: { agent: 'plan', output: 'out' } },
  ]);
  expect(plan.longest_chain).toEqual({ agents: ['plan', 'a', 'c'], seconds: 180 });
  expect(plan.merge.meetings).toEqual([{ name: 'site', agents: ['plan', 'a', 'b', 'c'] }]);
  const text = planLines(plan, 80, colourless).join('\n');
  expect(text).toContain('wave 2: a, b (1 of 2 at a time)');
  expect(text).toContain('reads plan: outputs/plan/site/x.md (made by plan)');
  expect(text).not.toContain('refused');
});

test('a plan that would be refused says so, with every problem and its cure', () => {
  const problems = [{ path: 'agents[0]', message: `bad ${hostile}`, cure: 'mend it' }];
  const lines = planLines(buildPlan(request, { problems, statuses: new Map(), isPartial: true }), 80, colourless);
  expect(lines[1]).toBe('would be refused: 1 problem, see below');
  expect(lines.join('\n')).toContain('cure: mend it');
  expect(lines.join('\n')).not.toContain('Merge:'); // what could not be read is not told
  expectHarmless(lines.join('\n'));
});

test('a circle is told and nothing hangs', () => {
  const bad = { ...request, agents: [agent('a', ['b']), agent('b', ['a'])] };
  expect(planLines(buildPlan(bad, facts), 80, colourless).join('\n')).toContain('never: a, b (a circle)');
});

test.each([80, 40])('a plan keeps within %i columns', width => {
  const lines = planLines(buildPlan(request, facts), width, colourless);
  expect(lines.filter(line => cellWidth(line) > width)).toEqual([]);
});

test('a sum of costs says how many parts are unknown, and unknown alone is not zero', () => {
  const costs = sumCosts([item({}), item({ agent: 'b', costUsd: null }), item({ agent: 'c', costUsd: 0.5 })], 2);
  expect(figure(costs.total)).toBe('$1.50 and 1 unknown');
  expect(figure(costs.agents.find(row => row.name === 'b')!)).toBe('unknown');
  expect(costLines(costs, null, 80, colourless).at(-1)).toBe(
    '2 attempts of other programs: what they cost is not known.',
  );
});

test('costs are counted by day and by chain; one that still runs is a lower bound', () => {
  const costs = sumCosts(
    [
      item({}),
      item({ attempt: 2, at: Date.parse('2026-01-03T12:00:00'), isRunning: true, sessions: ['s2'] }),
      item({ execution: 'e2' }),
    ],
    0,
  );
  expect(costs.days.map(row => [row.name, row.cost_usd])).toEqual([
    ['2026-01-03', 1],
    ['2026-01-02', 2],
  ]);
  expect(costs.chains).toEqual([
    {
      name: 'e1/a',
      cost_usd: 2,
      unknown: 0,
      at_least: true,
      attempts: 2,
      sessions: 2,
      continuations: 0,
      estimated: false,
    },
  ]);
  expect(costLines(costs, 'chain', 40, colourless)[1]).toMatch(/^ {2}e1\/a +\$2\.00\+ *.*$/);
});

test('hostile names stay text, within the width, and with no executions there is no figure', () => {
  const lines = costLines(sumCosts([item({ agent: hostile })], 0), null, 80, colourless);
  expectHarmless(lines.join('\n'));
  expect(lines.filter(line => cellWidth(line) > 80)).toEqual([]);
  expect(costLines(sumCosts([], 0), null, 80, colourless)).toEqual([
    'total: unknown; no attempt of Claude Code is known',
  ]);
});
