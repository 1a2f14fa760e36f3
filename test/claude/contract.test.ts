// Real Claude Code agents run by the engine, unattended, on an empty HOME: finished with proof, or failed with a reason.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { doIt, makeClaudeRun, script } from './claude-world.ts';

const LIMIT = { timeout: 60_000 };

test('three agents with a dependency start unattended on an empty HOME and finish with proof', LIMIT, async () => {
  const world = await makeClaudeRun('agent', {
    agents: [
      { name: 'alpha' },
      { name: 'beta' },
      {
        name: 'gamma',
        needs: ['alpha', 'beta'],
        inputs: { first: 'outputs/alpha.txt' },
        criteria: { lines: 3 },
        config: { checks: { lines: { command: ['sh', '-c', 'wc -l < "$BATON_OUTPUT_OUT"'], read: 'number' } } },
      },
    ],
  });
  const report = await world.run();
  expect(report.errors).toEqual([]);
  expect(report.status).toBe('success');
  for (const agent of report.agents) {
    expect(agent.claude).toMatchObject({ version: '2.1.326', permission_mode: 'acceptEdits', nudges: 0, restarts: 0 });
    expect(agent.claude!.session_ids).toHaveLength(1);
    expect(agent.claude!.cost_usd).toBeGreaterThan(0);
    expect(agent.claude!.context_tokens).toBeGreaterThan(0);
    const [transcript] = agent.claude!.transcripts;
    expect(readFileSync(transcript!, 'utf8')).toContain('agent_result.json');
    const log = readFileSync(agent.logs.stdout, 'utf8');
    expect(log).toContain('> Task: do ');
    expect(log).toContain('* Write ');
    expect(log).toContain('Done. All outputs and the result are written.');
  }
  // One prompt each, proven by its receipt, and the dependent one last.
  expect(
    world
      .prompts()
      .map(({ agent }) => agent)
      .toSorted(),
  ).toEqual(['alpha', 'beta', 'gamma']);
  expect(world.prompts().at(-1)!.agent).toBe('gamma');
  for (const { data } of world.of('prompt_submitted'))
    expect(data).toMatchObject({ purpose: 'task', proof: 'receipt' });
  // Ended by /exit, not by a signal.
  expect(world.of('attempt_exited').map(({ data }) => data.exit_code)).toEqual([0, 0, 0]);
});

test('what the first turn forgot is named in a nudge, and the nudge saves the run', LIMIT, async () => {
  const rules = [
    { name: 'forgets', when: { turn: 1 }, times: 1, steps: [{ say: 'All done, I think.' }] },
    doIt('it is not complete yet'),
  ];
  const world = await makeClaudeRun(script(rules));
  const report = await world.run();
  expect(report.status).toBe('success');
  expect(report.agents[0]!.claude).toMatchObject({ nudges: 1 });
  expect(world.prompts()).toHaveLength(2);
  const nudge = world.prompts()[1]!.text;
  expect(nudge).toContain(`${world.workspace}/outputs/alpha.txt`);
  expect(nudge).toContain('the result file is not written');
});

test('a liar is nudged as often as allowed, then fails with the reason', LIMIT, async () => {
  const world = await makeClaudeRun('liar', { config: { max_nudges: 2 } });
  const report = await world.run();
  expect(report.status).toBe('failure');
  expect(report.agents[0]!.claude).toMatchObject({ nudges: 2 });
  const [attempt] = report.agents[0]!.attempts;
  expect(attempt!.reason).toMatch(/after 2 nudges still: .*outputs\/alpha\.txt/);
  expect(world.prompts()).toHaveLength(3);
});

const asking = { vars: { command: 'git init -q repo' } };

test('a permission is answered by rule, yes and no, and no dialog is ever shown', LIMIT, async () => {
  const agents = [
    { name: 'may', config: { allow: ['Bash(git init *)'] } },
    { name: 'maynot', config: { allow: ['Bash'], deny: ['Bash(git init*)'] } },
  ];
  const world = await makeClaudeRun('asker', { ...asking, agents });
  const report = await world.run();
  expect(report.status).toBe('success');
  expect(existsSync(path.join(world.cwd('may'), 'repo'))).toBe(true);
  expect(existsSync(path.join(world.cwd('maynot'), 'repo'))).toBe(false);
  expect(world.of('question_opened')).toEqual([]);
  expect(world.practice.requests().some(({ toolResults }) => toolResults.join().includes('forbids this'))).toBe(true);
});

test('a permission nobody answers is denied after its time, noted, and the agent is told to go on', LIMIT, async () => {
  const world = await makeClaudeRun('asker', { ...asking, config: { permission_timeout: 2 } });
  const report = await world.run();
  expect(report.status).toBe('success');
  expect(existsSync(path.join(world.cwd(), 'repo'))).toBe(false);
  expect(world.of('question_opened')[0]!.data.question).toMatchObject({ kind: 'permission' });
  expect(world.of('question_closed')[0]!.data.how).toContain('nobody answered in time');
  expect(report.warnings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('a permission was denied'),
  );
});
