import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { resumeExecution, runRequest } from '../../src/engine/run-execution.ts';
import { keepRun, readHistory } from '../../src/headless/keep-history.ts';
import { ExecutionReport } from '../../src/protocol/report.ts';
import { leftBehind, waitFor } from '../engine/engine-world.ts';
import { makeHeadlessRun } from './engine-headless.ts';
import { echo } from './headless-world.ts';

// A start of Claude Code takes half a second, on a busy machine ten times that.
vi.setConfig({ testTimeout: 90_000 });

const large = { cache_read_input_tokens: 100_000, output_tokens: 1000 };
const nap = { name: 'Bash', input: { command: 'echo nap; sleep 37.5', description: 'nap' } };

test('a headless agent succeeds, and the report has its cost, tokens, turns and continuations', async () => {
  const world = await makeHeadlessRun([]);
  const { report, agent, chain } = await world.run();
  expect(agent).toMatchObject({ status: 'success', reason: null, exit_code: 0 });
  expect(ExecutionReport.parse(report)).toEqual(report);
  expect(agent.claude).toMatchObject({ continuations: 0, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  expect(agent.claude!.cost_usd).toBeGreaterThan(0);
  expect(chain).toMatchObject({ ended_by: 'completed', pre_compacted: false, cost_source: 'reported' });
  expect(chain!.tokens.cache_read).toBeGreaterThan(0);
  expect(chain!.turns).toBeGreaterThan(1);
  expect(agent.claude!.session_ids).toEqual([chain!.final_session_id]);
  expect(report.warnings).toEqual([]);
  const prompt = world.practice.requests()[0]!;
  expect(prompt.text).toContain(`Result file: `);
  const shown = readFileSync(agent.logs!.stdout, 'utf8');
  expect(shown).toMatch(/session 1 of at most 3[\s\S]*● I write the outputs\.[\s\S]*── ended: completed/);
  for (const file of ['headless.json', 'stream.ndjson', 'chain.json'])
    expect(statSync(path.join(world.session(), file)).mode & 0o777).toBe(0o600);
  expect(existsSync(path.join(world.session(), 'stream.ndjson.settings.json'))).toBe(false);
});

test('a chain of three sessions that meets its cost cap in the third one says so, and is not tried again', async () => {
  const steps = Array.from({ length: 8 }, (_, n) => ({ say: `step ${n}`, tools: [echo(String(n))], usage: large }));
  const world = await makeHeadlessRun([{ name: 'endless', steps: [...steps, { say: 'never' }] }], {
    // Each answer costs about 4.5 cents, each session has two.
    config: { max_agent_turns: 2, max_chain_cost_usd: 0.2 },
    options: { max_retries: 2 },
  });
  const { agent, chain } = await world.run();
  expect(agent).toMatchObject({ status: 'failure', claude: { continuations: 2 } });
  expect(agent.reason).toMatch(/^cost_cap.*max_chain_cost_usd is spent.*2 continuations, \$0\.2\d+/);
  expect(agent.attempts).toHaveLength(1);
  expect(chain).toMatchObject({ ended_by: 'cost_cap', total_continuations: 2 });
  expect(new Set(agent.claude!.session_ids).size).toBe(3);
  expect(agent.claude!.cost_usd).toBeGreaterThanOrEqual(0.2);
  expect(agent.claude!.cost_usd).toBeLessThan(0.27);
  const history = await readHistory(process.env.BATON_STATE_DIR!, 'writer');
  expect(history).toMatchObject({ last_continuations: 2, total_continuations: 2 });
});

test('a liar fails with what is missing', async () => {
  const world = await makeHeadlessRun([{ name: 'lie', steps: [{ say: 'Done. All is written and checked.' }] }]);
  const { agent, chain } = await world.run();
  expect(agent.status).toBe('failure');
  expect(agent.reason).toMatch(/output "out" .*; the result file is not written/);
  expect(chain).toMatchObject({ ended_by: 'completed', reason: null });
});

test('tools that were not permitted are told, rules of agent.json are obeyed, and the work still counts', async () => {
  const forbidden = { name: 'Bash', input: { command: 'echo never > /tmp/bt-hl-forbidden', description: 'x' } };
  const permitted = { name: 'Bash', input: { command: 'git init -q by-rule && echo made', description: 'x' } };
  const world = await makeHeadlessRun([
    { name: 'tries', when: { turn: 1 }, times: 1, steps: [{ tools: [permitted] }] },
    { name: 'fails', when: { tool_result: 'made' }, times: 1, steps: [{ tools: [forbidden] }] },
  ]);
  const { report, agent, chain } = await world.run();
  expect(agent.status).toBe('success');
  expect(existsSync(path.join(world.workspace, 'work/writer/by-rule/.git'))).toBe(true);
  expect(chain).toMatchObject({ ended_by: 'completed_with_denials' });
  expect(chain!.permission_denials).toEqual([{ tool: 'Bash', input: expect.stringContaining('bt-hl-forbidden') }]);
  expect(report.warnings.map(warning => warning.message)).toContainEqual(
    expect.stringMatching(/1 tool calls were not permitted: Bash echo never/),
  );
  expect(existsSync('/tmp/bt-hl-forbidden')).toBe(false);
});

test('bypassPermissions and a version nobody tried are told in the report, by name', async () => {
  const world = await makeHeadlessRun([]);
  const file = path.join(world.folder, 'agents', 'writer', 'agent.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  // Claude Code refuses the mode to root; whether it then works is not what is told here.
  const newer = path.join(world.folder, 'claude-newer');
  const change = `s/"claude_code_version":"[^"]*"/"claude_code_version":"99.0.0"/`;
  writeFileSync(newer, `#!/bin/sh\n'${config.claude_path}' "$@" | sed -u '${change}'\n`, { mode: 0o755 });
  writeFileSync(file, JSON.stringify({ ...config, claude_path: newer }));
  const { report, agent } = await world.run();
  expect([agent.status, agent.claude!.version]).toEqual(['success', '99.0.0']);
  expect(report.warnings).toEqual([
    { agent: 'writer', severity: 'low', message: expect.stringContaining('99.0.0 is newer than') },
  ]);
  const bold = await makeHeadlessRun([], { config: { permission_mode: 'bypassPermissions' } });
  const { report: told } = await bold.run();
  expect(told.warnings.map(warning => warning.message)).toContainEqual(expect.stringContaining('"bypassPermissions"'));
});

test('work that is proven counts although the turns ran out right after it', async () => {
  const world = await makeHeadlessRun([], { config: { max_agent_turns: 2, max_agent_continuations: 0 } });
  const { report, agent, chain } = await world.run();
  expect(chain).toMatchObject({ ended_by: 'max_turns', turns: expect.any(Number) });
  expect(agent).toMatchObject({ status: 'success', reason: null, exit_code: 4 });
  expect(report.warnings.map(warning => warning.message)).toEqual([
    expect.stringMatching(/cut off after its contract was met: max_turns/),
  ]);
});

test('an agent that needed continuations often is warned of before and after, and its secrets are not kept', async () => {
  const task = { characters: 9, inputs: 0, outputs: 1, criteria: 0 };
  for (const n of [1, 2, 3])
    await keepRun(process.env.BATON_STATE_DIR!, 'grower', {
      ...{ at: `2026-01-01T00:00:0${n}.000Z`, continuations: 1, pre_compacted: true, ended_by: 'completed' },
      ...{ turns: 1, cost_usd: 0, task },
    });
  process.env.PRACTICE_SECRET_TOKEN = 'hush-4c1f0b7de2';
  onTestFinished(() => void delete process.env.PRACTICE_SECRET_TOKEN);
  const says = { name: 'says', when: { turn: 1 }, times: 1, steps: [{ say: 'hush-4c1f0b7de2', tools: [echo('x')] }] };
  const world = await makeHeadlessRun([says], { name: 'grower' });
  const { report, agent, chain } = await world.run();
  expect(agent.status).toBe('success');
  expect(chain).toMatchObject({ total_continuations: 3 });
  expect(report.warnings).toEqual([
    { agent: 'grower', severity: 'low', message: expect.stringContaining('probably need continuations') },
    { agent: 'grower', severity: 'medium', message: expect.stringContaining('its tasks are too big') },
  ]);
  for (const file of [agent.claude!.transcripts[0]!, path.join(world.session(), 'chain.json'), agent.logs!.stdout]) {
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('[redacted:PRACTICE_SECRET_TOKEN]');
    expect(text).not.toContain('hush-4c1f0b7de2');
  }
});

test.each(['claude', 'claude-headless'])(
  'a Claude Code that is not there fails an agent of %s, by name',
  async provider => {
    const world = await makeHeadlessRun([], { config: { provider, claude_path: '/nowhere/claude' } });
    const { agent } = await world.run();
    expect(agent).toMatchObject({ status: 'failure', attempts: [{ exit_code: null }] });
    expect(agent.reason).toMatch(/could not be prepared: claude_path of agent.json names "\/nowhere\/claude"/);
  },
);

test('a role too long for a command line is refused before anything is started', async () => {
  const world = await makeHeadlessRun([]);
  writeFileSync(path.join(world.folder, 'agents', 'writer', 'AGENT.md'), '役'.repeat(45_000));
  const { agent } = await world.run();
  expect(agent.reason).toMatch(/could not be prepared: .*append_system_prompt: is over 120000 bytes/);
  expect(world.practice.requests()).toEqual([]);
});

test('kill -9 of the program in the pane leaves no Claude Code behind', async () => {
  const world = await makeHeadlessRun([{ name: 'naps', steps: [{ tools: [nap] }, { say: 'never' }] }]);
  const running = runRequest({ file: world.file }, { allowRoots: [] });
  await waitFor(() => leftBehind(world.workspace).some(line => line.includes('sleep')), 60_000);
  const pid = processWith('run-headless', world.session());
  expect(leftBehind(world.workspace).some(line => line.includes('stream-json'))).toBe(true);
  process.kill(pid, 'SIGKILL');
  const { report } = await running;
  expect(leftBehind(world.workspace)).toEqual([]);
  expect(report.agents[0]).toMatchObject({ status: 'failure', claude: { cost_usd: null, chain: null } });
  expect(report.agents[0]!.reason).toMatch(/signal SIGKILL|137/);
  expect(existsSync(path.join(world.session(), 'stream.ndjson.settings.json'))).toBe(false);
});

test('an engine that was killed finds its headless agent at work, and counts the run once', async () => {
  const short = { name: 'Bash', input: { command: 'echo nap; sleep 2.5', description: 'nap' } };
  const naps = { name: 'naps', when: { turn: 1 }, times: 1, steps: [{ tools: [short] }] };
  const world = await makeHeadlessRun([naps], { name: 'napper' });
  const engine = spawn(process.execPath, ['test/engine/run-engine.ts', 'run', world.file], { stdio: 'ignore' });
  await waitFor(() => leftBehind(world.workspace).some(line => line.includes('sleep')), 60_000);
  const gone = new Promise(resolve => engine.once('exit', resolve));
  engine.kill('SIGKILL');
  await gone;
  const { report } = await resumeExecution(world.workspace, { allowRoots: [] });
  expect(report.agents[0]).toMatchObject({ status: 'success', attempts: [{ attempt: 1, exit_code: 0 }] });
  expect(report.agents[0]!.claude!.chain).toMatchObject({ ended_by: 'completed' });
  expect(await readHistory(process.env.BATON_STATE_DIR!, 'napper')).toMatchObject({ runs: 1 });
});

test('a service that refuses closes the account for a while, and the agent is tried again after it, whatever max_retries says', async () => {
  const world = await makeHeadlessRun([{ name: 'refused', when: { session: 1 }, steps: [{ error: 'overloaded' }] }], {
    options: { max_retries: 1 },
  });
  const { report, agent } = await world.run();
  expect(agent).toMatchObject({ status: 'success', attempts: [{ status: 'failure' }, { status: 'success' }] });
  expect(agent.attempts[0]!.reason).toMatch(/^api_error: .*529/);
  // The back-off of a plain failure is half a second; a closed account takes 2.5 s at least.
  const [first, second] = agent.attempts;
  expect(Date.parse(second!.start_time) - Date.parse(first!.end_time)).toBeGreaterThan(2000);
  expect(report.warnings.filter(warning => warning.message.includes('529'))).not.toEqual([]);
});

function processWith(...words: string[]): number {
  const { readdirSync } = process.getBuiltinModule('node:fs');
  const found = readdirSync('/proc').find(pid => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0') : [];
      return line[0]?.endsWith('node') && words.every(word => line.some(part => part.includes(word)));
    } catch {
      return false;
    }
  });
  return Number(found);
}
