// The example of the protocol itself, end to end: both agents are programs, outputs lie beside the workspace.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodeOf, runRequest } from '../../src/engine/run-execution.ts';
import { makeFolder } from './engine-world.ts';

const SEED = path.join(import.meta.dirname, '../request/seed-request.json');

const generator = `
mkdir "$BATON_OUTPUT_CODE" "$BATON_OUTPUT_TESTS"
cp "$BATON_INPUT_CODEBASE/app.js" "$BATON_OUTPUT_CODE/auth.js"
echo "ok" > "$BATON_OUTPUT_TESTS/auth.test.js"
grep -q JWT "$BATON_INPUT_REQUIREMENTS" || exit 9
printf '{"ctxpack":1,"nodes":[{"id":"jwt","type":"decision","content":"tokens","source":"code-generator"}]}' > "$BATON_OUTPUT_CTXPACK"
printf '{"status":"success","summary":"auth made","metrics":{"lines_of_code":1247,"test_count":42}}' > "$BATON_RESULT_FILE"
`;
const reviewer = `
cat "$BATON_INPUT_CODE/auth.js" > "$BATON_OUTPUT_REVIEW"
printf '{"ctxpack":1,"nodes":[{"id":"safe","type":"fact","content":"reviewed","source":"code-reviewer"}]}' > "$BATON_OUTPUT_CTXPACK"
printf '{"status":"success","criteria":{"no_critical_issues":true,"security_checklist_complete":true}}' > "$BATON_RESULT_FILE"
`;
const checks = {
  tests_pass: { command: ['grep', '-q', 'ok', '../../../outputs/code-generator/tests/auth.test.js'] },
  no_lint_errors: { command: ['true'] },
  coverage: { command: ['echo', 'All files | 85'], read: 'number' },
};

function makeSeedWorld() {
  const folder = makeFolder();
  const root = path.join(folder, 'orchestration');
  const agents = path.join(folder, 'agent');
  for (const [name, script, more] of [
    ['code-generator', generator, { checks }],
    ['code-reviewer', reviewer, {}],
  ] as const) {
    mkdirSync(path.join(agents, name), { recursive: true });
    // Long enough to be measured: of an agent that ends at once the memory is unknown.
    writeFileSync(path.join(agents, name, 'work.sh'), `sleep 0.5\n${script}`);
    const config = { provider: 'command', command: ['sh', 'work.sh'], ...more };
    writeFileSync(path.join(agents, name, 'agent.json'), JSON.stringify(config));
  }
  mkdirSync(path.join(root, 'requirements'), { recursive: true });
  writeFileSync(path.join(root, 'requirements/auth-spec.md'), 'use JWT');
  mkdirSync(path.join(root, 'codebase'));
  writeFileSync(path.join(root, 'codebase/app.js'), 'app();\n');
  const text = readFileSync(SEED, 'utf8')
    .replaceAll('/tmp/orchestration', root)
    .replaceAll('/Users/.../llm-playground/agent', agents);
  const workspace = path.join(root, 'exec-20251030-1430-abc123');
  mkdirSync(workspace);
  const file = path.join(workspace, 'execution_request.json');
  writeFileSync(file, text);
  return { root, workspace, file };
}

test("the protocol's own example runs end to end, and its report and layout are the protocol's", async () => {
  const { root, workspace, file } = makeSeedWorld();
  const { report } = await runRequest({ file }, { allowRoots: [root] });
  expect(report).toMatchObject({
    execution_id: 'exec-20251030-1430-abc123',
    status: 'success',
    errors: [],
    merge_result: {
      status: 'success',
      merged_ctxpack: `${workspace}/merged/integrated.ctxp`,
      conflicts_detected: 0,
      conflicts_resolved: 0,
      validation_passed: true,
    },
  });
  expect(exitCodeOf(report)).toBe(0);
  const [first, second] = report.agents;
  expect(first).toMatchObject({
    agent_name: 'code-generator',
    status: 'success',
    tmux_session: expect.stringMatching(/^code-generator-\d{8}-\d{4}$/),
    exit_code: 0,
    outputs_produced: {
      code: `${root}/outputs/code-generator/code`,
      tests: `${root}/outputs/code-generator/tests`,
      ctxpack: `${root}/outputs/code-generator/output.ctxp`,
    },
    success_criteria_met: { tests_pass: true, no_lint_errors: true, coverage: 85 },
    success_criteria_evidence: { tests_pass: 'checked', no_lint_errors: 'checked', coverage: 'checked' },
    metrics: { lines_of_code: 1247, test_count: 42, peak_memory_mb: expect.any(Number) },
    summary: 'auth made',
  });
  expect(second).toMatchObject({
    status: 'success',
    success_criteria_evidence: { no_critical_issues: 'reported', security_checklist_complete: 'reported' },
  });
  expect(Date.parse(second!.start_time!)).toBeGreaterThanOrEqual(Date.parse(first!.end_time!));
  const merged = ['code', 'tests', 'review.md'].map(name => `${workspace}/merged/${name}`);
  expect([...report.merge_result.merged_files].sort()).toEqual(merged.sort());
  const layout = [
    'logs/code-generator/stdout.log',
    'logs/code-generator/stderr.log',
    'logs/code-reviewer/stdout.log',
    `tmux/${first!.tmux_session}.log`,
    `tmux/${second!.tmux_session}.log`,
    'merged/integrated.ctxp',
    'merged/code/auth.js',
    'merged/tests/auth.test.js',
    'merged/review.md',
    'checkpoint/checkpoint.tar.gz',
    'execution_request.json',
    'execution_report.json',
    'status.json',
    'events.ndjson',
  ];
  for (const place of layout) expect(existsSync(path.join(workspace, place)), place).toBe(true);
});

test('without the flag the example is refused, with every place, and nothing on the disk changes', async () => {
  const { root, workspace, file } = makeSeedWorld();
  const before = readdirSync(root, { recursive: true }).sort();
  const problems = await runRequest({ file }, { allowRoots: [] }).then(
    () => [],
    fault => fault.problems.map((problem: { path: string }) => problem.path),
  );
  expect(problems).toContain('agents[0].task.outputs.code');
  expect(problems).toContain('agents[1].task.outputs.review');
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
  expect(readdirSync(workspace)).toEqual(['execution_request.json']);
});
