import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodeOf, runRequest } from '../../src/engine/run-execution.ts';
import { ExecutionReport } from '../../src/protocol/report.ts';
import { leftBehind, makeWorld, waitFor, writeOut } from './engine-world.ts';

const run = (file: string, more = {}) => runRequest({ file }, { allowRoots: [], ...more });
const statusesOf = (report: ExecutionReport) =>
  Object.fromEntries(report.agents.map(agent => [agent.agent_name, agent.status]));

test('two agents in a row succeed, their outputs are merged, and the report says so', async () => {
  const world = makeWorld([
    { name: 'first', script: `sleep 0.5; ${writeOut}` },
    {
      name: 'second',
      script: 'cat "$BATON_INPUT_A" > "$BATON_OUTPUT_OUT"',
      needs: ['first'],
      inputs: { a: 'outputs/first.txt' },
    },
  ]);
  const { report, reportFile } = await run(world.file);
  expect(report.status).toBe('success');
  expect(exitCodeOf(report)).toBe(0);
  expect(world.read('merged/first.txt')).toBe('first\n');
  expect(world.read('merged/second.txt')).toBe('first\n');
  expect(ExecutionReport.parse(JSON.parse(readFileSync(reportFile, 'utf8')))).toEqual(report);
  expect(report.agents[0]).toMatchObject({ exit_code: 0, tmux_session: expect.stringMatching(/^first-\d{8}-\d{4}/) });
  expect(report.agents[0]!.metrics.peak_memory_mb).toBeGreaterThan(0);
  expect(leftBehind(world.workspace)).toEqual([]);
});

test('a failed agent is tried again up to max_retries, and every attempt is in the report', async () => {
  const world = makeWorld([
    { name: 'flaky', script: `echo try $BATON_ATTEMPT; [ "$BATON_ATTEMPT" = 3 ] || exit 7; ${writeOut}` },
  ]);
  const { report } = await run(world.file);
  expect(report.agents[0]!.attempts.map(attempt => [attempt.attempt, attempt.status, attempt.exit_code])).toEqual([
    [1, 'failure', 7],
    [2, 'failure', 7],
    [3, 'success', 0],
  ]);
  expect(readFileSync(report.agents[0]!.attempts[0]!.logs.stdout, 'utf8')).toBe('try 1\n');
  expect(readFileSync(report.agents[0]!.logs!.stdout, 'utf8')).toBe('try 3\n');
});

test('dependents of a failure are skipped, all others go on, and the good ones are merged', async () => {
  const world = makeWorld(
    [
      { name: 'bad', script: 'exit 3' },
      { name: 'child', script: writeOut, needs: ['bad'] },
      { name: 'grandchild', script: writeOut, needs: ['child'] },
      { name: 'good', script: writeOut },
    ],
    { execution_options: { max_retries: 0 } },
  );
  const { report } = await run(world.file);
  expect(statusesOf(report)).toEqual({ bad: 'failure', child: 'skipped', grandchild: 'skipped', good: 'success' });
  expect(report.status).toBe('partial_success');
  expect(exitCodeOf(report)).toBe(3);
  expect(report.errors.map(error => error.agent)).toEqual(['bad', 'child', 'grandchild']);
  expect(world.read('merged/good.txt')).toBe('good\n');
});

test('when every agent fails the execution fails and nothing is merged', async () => {
  const world = makeWorld([{ name: 'bad', script: 'kill -9 $$' }], { execution_options: { retry_on_failure: false } });
  const { report } = await run(world.file);
  expect(report.status).toBe('failure');
  expect(report.agents[0]!.attempts[0]).toMatchObject({ exit_code: 137, signal: 'KILL' });
  expect(report.merge_result.status).toBe('skipped');
  expect(existsSync(path.join(world.workspace, 'merged'))).toBe(false);
});

test('an agent over its own timeout is ended with its whole tree, not retried, and counts as timeout', async () => {
  const world = makeWorld([
    { name: 'slow', script: 'trap "" TERM; (setsid sleep 300 &) ; sleep 300 & sleep 300', timeout: 0.5 },
    { name: 'quick', script: writeOut },
    { name: 'child', script: writeOut, needs: ['slow'] },
  ]);
  const { report } = await run(world.file);
  expect(statusesOf(report)).toEqual({ slow: 'timeout', quick: 'success', child: 'skipped' });
  expect(report.agents[0]!.attempts).toHaveLength(1);
  expect(report.status).toBe('partial_success');
  expect(leftBehind(world.workspace)).toEqual([]);
});

test('an agent that is asked to end may say its last words, and its code is still known', async () => {
  const script = 'trap "echo bye; echo sorry >&2; exit 9" TERM; echo hello; while :; do sleep 0.05; done';
  const world = makeWorld([{ name: 'polite', script, timeout: 2 }]);
  const { report } = await run(world.file);
  expect(report.agents[0]).toMatchObject({ status: 'timeout', exit_code: 9 });
  expect(world.read('logs/polite/stdout.log')).toBe('hello\nbye\n');
  expect(world.read('logs/polite/stderr.log')).toContain('sorry\n');
  const pane = world.read(`tmux/${report.agents[0]!.tmux_session}.log`);
  for (const word of ['hello', 'bye', 'sorry']) expect(pane).toContain(word);
});

test('total_timeout ends everything, keeps partial outputs, merges nothing', async () => {
  const world = makeWorld(
    [
      { name: 'quick', script: writeOut },
      { name: 'slow', script: `${writeOut}; sleep 300` },
      { name: 'never', script: writeOut, needs: ['slow'] },
    ],
    { execution_options: { total_timeout: 3 } },
  );
  const { report } = await run(world.file);
  expect(statusesOf(report)).toEqual({ quick: 'success', slow: 'timeout', never: 'skipped' });
  expect(report.status).toBe('timeout');
  expect(exitCodeOf(report)).toBe(124);
  expect(world.read('outputs/slow.txt')).toBe('slow\n');
  expect(report.merge_result.status).toBe('skipped');
});

test('a cancelled execution ends its agents and says cancelled', async () => {
  const world = makeWorld([
    { name: 'slow', script: 'sleep 300' },
    { name: 'never', script: writeOut, needs: ['slow'] },
  ]);
  const stop = new AbortController();
  const running = run(world.file, { signal: stop.signal });
  await waitFor(() => leftBehind(world.workspace).some(line => line.includes('300')));
  stop.abort();
  const { report } = await running;
  expect(report.status).toBe('cancelled');
  expect(exitCodeOf(report)).toBe(130);
  expect(statusesOf(report)).toEqual({ slow: 'failure', never: 'skipped' });
  expect(report.agents[0]!.reason).toBe('cancelled');
  expect(leftBehind(world.workspace)).toEqual([]);
});

test('an agent that says success without its output fails, whatever it claims', async () => {
  const script = 'printf \'{"status":"success","criteria":{"fine":true}}\' > "$BATON_RESULT_FILE"';
  const world = makeWorld([{ name: 'liar', script, criteria: { fine: true } }], {
    execution_options: { max_retries: 0 },
  });
  const { report } = await run(world.file);
  expect(report.agents[0]!.status).toBe('failure');
  expect(report.agents[0]!.reason).toContain('output "out" is missing');
});

test('criteria are checked by commands first, then believed from the result and marked, else not met', async () => {
  const script = `${writeOut}; printf '{"status":"success","criteria":{"told":true,"coverage":99},"summary":"s"}' > "$BATON_RESULT_FILE"`;
  const config = {
    checks: {
      coverage: { command: ['echo', 'lines 3, covered 85.5'], read: 'number' },
      field: { command: ['echo', '{"a":{"b":7}}'], read: 'json:a.b' },
    },
  };
  const criteria = { told: true, coverage: 80, field: 7 };
  const world = makeWorld(
    [
      { name: 'a', script, config, criteria },
      { name: 'b', script: writeOut, criteria: { nobody: true } },
    ],
    { execution_options: { max_retries: 0 } },
  );
  const { report } = await run(world.file);
  expect(report.agents[0]).toMatchObject({
    status: 'success',
    summary: 's',
    success_criteria_met: { told: true, coverage: 85.5, field: 7 },
    success_criteria_evidence: { told: 'reported', coverage: 'checked', field: 'checked' },
  });
  expect(report.agents[1]).toMatchObject({
    status: 'failure',
    success_criteria_met: { nobody: null },
    success_criteria_evidence: { nobody: 'none' },
  });
});

test('what lay at the output before the run proves nothing and is kept', async () => {
  const world = makeWorld([{ name: 'lazy', script: 'true', outputs: { out: 'old.txt' } }], {
    execution_options: { max_retries: 0 },
  });
  writeFileSync(path.join(world.workspace, 'old.txt'), 'old');
  const { report } = await run(world.file);
  expect(report.agents[0]!.reason).toContain('missing');
  expect(world.read('attempts/0/lazy/outputs/out')).toBe('old');
});

test('an output that an agent turned into a link out of the workspace is refused', async () => {
  const world = makeWorld(
    [
      { name: 'sly', script: 'ln -s /etc/passwd "$BATON_OUTPUT_OUT"' },
      {
        name: 'sly2',
        script: 'mkdir "$BATON_OUTPUT_OUT"; echo x > "$BATON_OUTPUT_OUT/x"; ln -s /etc "$BATON_OUTPUT_OUT/e"',
      },
    ],
    { execution_options: { max_retries: 0 } },
  );
  const { report } = await run(world.file);
  expect(report.agents.map(agent => agent.status)).toEqual(['failure', 'failure']);
  expect(report.agents[0]!.reason).toContain('lies where it may not');
  expect(report.agents[1]!.reason).toContain('symlink that leaves it');
});

test('secret values never reach logs, events, status or report', async () => {
  const secret = 'hunter2-very-secret-value';
  process.env.MY_API_TOKEN = secret;
  try {
    const script = `echo "out $MY_API_TOKEN"; echo "err $MY_API_TOKEN" >&2; ${writeOut}; printf '{"status":"success","summary":"%s"}' "$MY_API_TOKEN" > "$BATON_RESULT_FILE"`;
    const world = makeWorld([{ name: 'leaky', script, config: { env: ['MY_API_TOKEN'] } }]);
    const { report } = await run(world.file);
    expect(report.status).toBe('success');
    const session = report.agents[0]!.tmux_session!;
    const files = [
      'events.ndjson',
      'status.json',
      'execution_report.json',
      'logs/leaky/stdout.log',
      'logs/leaky/stderr.log',
      `tmux/${session}.log`,
      'logs/engine.log',
    ];
    for (const file of files) expect(world.read(file), file).not.toContain(secret);
    expect(world.read('logs/leaky/stdout.log')).toContain('[redacted:MY_API_TOKEN]');
    expect(world.read(`tmux/${session}.log`)).toContain('redacted');
  } finally {
    delete process.env.MY_API_TOKEN;
  }
});

test('an agent sees its task and a short environment, and cannot reach the tmux server', async () => {
  process.env.UNRELATED_VALUE = 'do not pass me on';
  const world = makeWorld([
    {
      name: 'look',
      script: 'env > "$BATON_OUTPUT_OUT"; cat "$BATON_TASK_FILE" >> "$BATON_OUTPUT_OUT"; pwd >> "$BATON_OUTPUT_OUT"',
    },
  ]);
  await run(world.file);
  delete process.env.UNRELATED_VALUE;
  const seen = world.read('outputs/look.txt');
  expect(seen).not.toMatch(/^TMUX|UNRELATED_VALUE/m);
  for (const name of [
    'EXECUTION_ID',
    'AGENT',
    'ATTEMPT',
    'WORKSPACE',
    'AGENT_PATH',
    'TASK_FILE',
    'RESULT_FILE',
    'OUTPUT_OUT',
  ])
    expect(seen).toContain(`BATON_${name}=`);
  expect(seen).toMatch(/^BATON_PANE=%\d+$/m);
  expect(seen).toContain('"description": "do look"');
  expect(seen.trim().endsWith('/work/look')).toBe(true);
});

test('commits and files an agent made in a repository of the workspace are in the report', async () => {
  const script = `git init -q . && git config user.email a@b && git config user.name n && echo 1 > f && git add f && git commit -qm one && ${writeOut}`;
  const world = makeWorld([
    { name: 'prepare', script: `mkdir -p "$BATON_WORKSPACE/repo" && cd "$BATON_WORKSPACE/repo" && ${script}` },
    {
      name: 'work',
      script: `echo 2 > g && git add g && git commit -qm two && echo 3 > h && ${writeOut}`,
      needs: ['prepare'],
      config: { cwd: 'repo' },
    },
  ]);
  const { report } = await run(world.file);
  expect(report.agents[1]).toMatchObject({ status: 'success', files_modified: ['g', 'h'] });
  expect(report.agents[1]!.commits_made).toHaveLength(1);
});
