// Claude Code is killed, or the engine is: the conversation goes on, nothing is said twice.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resumeExecution } from '../../src/engine/run-execution.ts';
import { readScreen } from '../../src/screen/read-screen.ts';
import { openPane } from '../../src/tmux/pane-door.ts';
import { tmuxSocket } from '../../src/tmux/runtime.ts';
import { waitFor } from '../engine/engine-world.ts';
import { type ClaudeRun, doIt, GO_ON, makeClaudeRun, script } from './claude-world.ts';
import { claudePid } from './open-session.ts';

const LIMIT = { timeout: 90_000 };
const POLL = { timeout: 20_000, interval: 20 };
const ENGINE = path.resolve('test/engine/run-engine.ts');
// Looks around, then thinks for longer than any test takes.
const looks = { say: 'I look around.', tools: [{ name: 'Glob', input: { pattern: '*.md' } }] };
const thinks = { name: 'thinks', when: { turn: 1 }, times: 2, steps: [looks, { delay_ms: 60_000, say: 'Hm.' }] };
// Claude Code writes its conversation down with some delay.
const isWritten = (world: ClaudeRun) =>
  filesUnder(path.join(world.home, 'projects')).some(file => readFileSync(file, 'utf8').includes('I look around'));
const filesUnder = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(name => path.join(folder, name))
        .filter(file => file.endsWith('.jsonl'))
    : [];

async function killClaude(world: ClaudeRun): Promise<number> {
  const { pid } = world.of('attempt_opened').at(-1)!.data;
  const found = await waitFor(() => claudePid(pid));
  process.kill(found, 'SIGKILL');
  return pid;
}

test('killed in the middle of its work, it is resumed in the same conversation and finishes', LIMIT, async () => {
  const world = await makeClaudeRun(script([thinks, doIt(GO_ON)]), { config: { max_nudges: 0 } });
  const running = world.run();
  await waitFor(() => isWritten(world));
  await killClaude(world);
  const report = await running;
  expect(report.status).toBe('success');
  expect(report.agents[0]!.attempts).toHaveLength(1);
  expect(report.agents[0]!.claude).toMatchObject({ restarts: 1, nudges: 0 });
  // One conversation: the same id, the model got both prompts of it, the task once.
  expect(report.agents[0]!.claude!.session_ids).toHaveLength(1);
  const sessions = new Set(world.prompts().map(({ session }) => session));
  expect([...sessions]).toEqual(report.agents[0]!.claude!.session_ids);
  expect(world.of('prompt_submitted').map(({ data }) => data.purpose)).toEqual(['task', 'again']);
  expect(world.prompts().at(-1)!.turn).toBe(2);
  expect(world.of('claude_launched')[0]!.data).toMatchObject({ how: 'resume' });
});

test(
  'killed before its conversation was written down, it begins afresh from a document of Baton and is told the task',
  LIMIT,
  async () => {
    const waits = { name: 'waits', when: { session: 1 }, times: 1, steps: [{ delay_ms: 60_000, say: 'Hm.' }] };
    const world = await makeClaudeRun(script([waits]));
    const running = world.run();
    await waitFor(() => world.of('prompt_submitted').length === 1 && world.prompts().length === 1);
    const [{ data }] = world.of('prompt_submitted') as [{ data: { session_id: string } }];
    const transcripts = path.join(world.home, 'projects');
    await killClaude(world);
    rmSync(transcripts, { recursive: true, force: true }); // whether it was written yet is chance
    const report = await running;
    expect(report.status).toBe('success');
    expect(world.of('claude_launched').map(({ data: { how } }) => how)).toEqual(['resume', 'new']);
    expect(world.of('prompt_submitted').map(({ data: { purpose } }) => purpose)).toEqual(['task', 'task']);
    expect(report.agents[0]!.claude!.session_ids[0]).toBe(data.session_id);
    expect(report.agents[0]!.claude!.session_ids).toHaveLength(2);
    const document = path.join(world.cwd(), 'docs', 'handoff', 'alpha.md');
    expect(world.of('claude_launched').map(({ data }) => data.document)).toEqual([null, document]);
    const told = world.prompts().at(-1)!.text;
    expect(told).toContain(`Read ${document} first`);
    expect(told).toContain('reason: error recovery');
    expect(told).toContain('Result file: ');
    const text = readFileSync(document, 'utf8');
    expect(text).toContain('Written by the watchdog of Baton, not by the agent');
    expect(text).toContain('- **Reason**: error recovery');
    expect(text).toMatch(/^Handoff-Id: h-/m);
  },
);

test(
  'a conversation that cannot be taken up again: the document it begins from has its open todos',
  LIMIT,
  async () => {
    const lists = {
      say: 'I look around.',
      tools: [{ name: 'TaskCreate', input: { subject: 'Paint the fence', description: 'Red.' } }],
    };
    const busy = { name: 'busy', when: { session: 1, turn: 1 }, steps: [lists, { delay_ms: 60_000, say: 'Hm.' }] };
    const world = await makeClaudeRun(script([busy]), {
      env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
      config: { env: ['CLAUDE_CODE_ENABLE_TODO_TOOLS'] },
    });
    const running = world.run();
    await waitFor(() => isWritten(world) && world.practice.requests().length > 1);
    await killClaude(world);
    await waitFor(() => world.of('attempt_opened').length === 2);
    await killClaude(world); // before it is ready: it counts as one that could not be resumed
    const report = await running;
    expect(report.status).toBe('success');
    expect(world.of('claude_launched').map(({ data: { how } }) => how)).toEqual(['resume', 'new']);
    const text = readFileSync(path.join(world.cwd(), 'docs', 'handoff', 'alpha.md'), 'utf8');
    expect(text).toContain('Paint the fence');
    expect(text).toContain('I look around.');
  },
);

test('killed again and again, it is started three times more, then it is told', LIMIT, async () => {
  const world = await makeClaudeRun(script([{ name: 'thinks', steps: [{ delay_ms: 60_000, say: 'Hm.' }] }]));
  const running = world.run();
  for (let kills = 0; kills < 4; kills += 1) {
    await waitFor(() => world.of('claude_ready').length === kills + 1);
    await killClaude(world);
  }
  const report = await running;
  expect(report.status).toBe('failure');
  expect(report.agents[0]!.claude).toMatchObject({ restarts: 3 });
  expect(report.agents[0]!.attempts[0]!.reason).toMatch(/ended 4 times within 10 minutes/);
});

test('a Claude Code that ends at once is tried twice, and told with its last words kept', LIMIT, async () => {
  const world = await makeClaudeRun('agent', { config: { model: 'x', claude_path: '/bin/false' } });
  const report = await world.run();
  expect(report.agents[0]!.attempts[0]!.reason).toMatch(/ended at once, twice \(exit code 1\)/);
});

test('the engine is killed while the agent works: resumed, it does not say the task again', LIMIT, async () => {
  const slow = [{ name: 'slow', when: { turn: 1 }, times: 1, steps: [{ delay_ms: 4000, say: 'So.' }] }];
  const world = await makeClaudeRun(script([...slow, doIt('it is not complete yet')]));
  const engine = spawn(process.execPath, [ENGINE, 'run', world.file], { stdio: 'ignore' });
  const gone = new Promise(resolve => engine.once('exit', resolve));
  // As soon as the model has the prompt: whether the event was written by then is chance.
  await waitFor(() => world.prompts().length === 1);
  engine.kill('SIGKILL');
  await gone;
  const { report } = await resumeExecution(world.workspace, { allowRoots: [] });
  expect(report.status).toBe('success');
  expect(world.prompts().filter(({ text }) => text.startsWith('Task: '))).toHaveLength(1);
  expect(world.of('prompt_submitted').map(({ data }) => data.purpose)).toEqual(['task', 'nudge']);
  expect(report.agents[0]!.claude).toMatchObject({ restarts: 0 });
  const log = readFileSync(report.agents[0]!.logs.stdout, 'utf8');
  expect(log.split('> Task: ')).toHaveLength(2);
});

test('the engine is killed between its word to leave and the leaving: resumed, it leaves', LIMIT, async () => {
  const world = await makeClaudeRun('agent');
  const engine = spawn(process.execPath, [ENGINE, 'run', world.file], { stdio: 'ignore' });
  const gone = new Promise(resolve => engine.once('exit', resolve));
  await waitFor(() => world.of('leaving').length === 1);
  engine.kill('SIGKILL');
  await gone;
  const from = performance.now();
  const { report } = await resumeExecution(world.workspace, { allowRoots: [] });
  expect(report.status).toBe('success');
  expect(performance.now() - from).toBeLessThan(30_000);
});

test('the engine is killed while it types: resumed, it takes its own text back and goes on', LIMIT, async () => {
  const world = await makeClaudeRun(
    script([{ name: 'stops', times: 1, steps: [{ delay_ms: 3000, say: 'So.' }] }, doIt('not complete')]),
  );
  const engine = spawn(process.execPath, [ENGINE, 'run', world.file], { stdio: 'ignore' });
  const gone = new Promise(resolve => engine.once('exit', resolve));
  await waitFor(() => world.of('attempt_opened').length === 1 && world.status()?.agents[0]?.pane != null);
  const { pid } = world.of('attempt_opened')[0]!.data;
  const pane = openPane({ socket: tmuxSocket(), pane: world.status()!.agents[0]!.pane!, pid });
  const claude = await waitFor(() => claudePid(pid));
  await waitFor(() => world.of('prompt_submitted').length === 1);
  await pane.hold('a tester');
  await waitFor(() => readFileSync(path.join(world.session('alpha'), 'receipts.ndjson'), 'utf8').includes('"Stop"'));
  // Stopped, it shows nothing of what comes in: the Enter waits for the text to be seen.
  await expect.poll(async () => readScreen((await pane.look())!.text).safe_to_type, POLL).toBe(true);
  process.kill(claude, 'SIGSTOP');
  await pane.hold(null);
  await expect.poll(async () => (await pane.look())!.typed, POLL).not.toBeNull();
  engine.kill('SIGKILL');
  await gone;
  process.kill(claude, 'SIGCONT');
  await expect.poll(async () => readScreen((await pane.look())!.text).draft, POLL).not.toBeNull();
  const { report } = await resumeExecution(world.workspace, { allowRoots: [] });
  expect(report.status).toBe('success');
  expect(world.of('prompt_submitted').map(({ data }) => data.purpose)).toEqual(['task', 'nudge']);
  expect(world.prompts()).toHaveLength(2);
});
