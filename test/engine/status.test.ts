// status.json, the event log, warnings and the log level while an execution runs.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resumeExecution, runRequest } from '../../src/engine/run-execution.ts';
import { writeFileAtomic } from '../../src/files/write-file.ts';
import type { Event } from '../../src/protocol/event.ts';
import { Status } from '../../src/protocol/status.ts';
import { makeWorld, type World, waitFor, writeOut } from './engine-world.ts';

const ENGINE = path.join(import.meta.dirname, 'run-engine.ts');
const run = (world: World, more = {}) => runRequest({ file: world.file }, { allowRoots: [], ...more });
const patient = `until [ -e "$BATON_WORKSPACE/go" ]; do sleep 0.02; done; ${writeOut}`;
const open = (world: World) => writeFileSync(path.join(world.workspace, 'go'), '');
const statusOf = (world: World): Status | null => {
  const file = path.join(world.workspace, 'status.json');
  return existsSync(file) ? Status.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
};

// How much later than planned a timer and a small write end on this machine right now, in ms: on a crowded
// one that is nobody's fault.
function probeMachine(folder: string): { stop(): Promise<number> } {
  let isOn = true;
  const measure = async () => {
    let worst = 0;
    for (let at = performance.now(); isOn; at = performance.now()) {
      await sleep(20);
      await writeFileAtomic(path.join(folder, 'probe'), 'x', { sync: false });
      worst = Math.max(worst, performance.now() - at - 20);
    }
    return worst;
  };
  const measured = measure();
  return {
    stop() {
      isOn = false;
      return measured;
    },
  };
}

test('every change of state is in status.json within 100 ms', async () => {
  // Long enough in each state that every one of them is seen.
  const world = makeWorld(
    [
      { name: 'a', script: `sleep 0.6; ${writeOut}` },
      { name: 'b', script: `sleep 0.6; ${writeOut}`, needs: ['a'] },
      { name: 'c', script: 'sleep 0.6; exit 1', needs: ['b'] },
    ],
    { execution_options: { max_retries: 0 } },
  );
  const changes: { at: number; agent: string; status: string }[] = [];
  const shown = new Map<string, number>();
  const onEvent = (event: Event) => {
    const at = performance.now();
    if (event.type === 'attempt_started') changes.push({ at, agent: event.agent, status: 'running' });
    if (event.type === 'attempt_ended') changes.push({ at, agent: event.agent, status: event.data.outcome.status });
  };
  const onStatus = (status: Status) => {
    for (const line of status.agents) {
      const key = `${line.agent_name} ${line.status}`;
      if (!shown.has(key)) shown.set(key, performance.now());
    }
  };
  const probe = probeMachine(world.folder);
  await run(world, { onEvent, onStatus });
  const worst = await probe.stop();
  expect(changes.map(change => `${change.agent} ${change.status}`)).toEqual([
    'a running',
    'a success',
    'b running',
    'b success',
    'c running',
    'c failure',
  ]);
  for (const { at, agent, status } of changes)
    expect(shown.get(`${agent} ${status}`)! - at, `${agent} ${status}`).toBeLessThan(100 + worst);
  expect(statusOf(world)).toMatchObject({
    status: 'partial_success',
    phase: 'done',
    counts: { success: 2, failure: 1 },
  });
});

test('a quiet run gives a sign of life every two seconds, a loud one is written at most a few times a second', async () => {
  const world = makeWorld([
    {
      name: 'loud',
      script:
        'i=0; while [ $i -lt 1000 ]; do echo "line $i"; i=$((i+1)); sleep 0.001; done; echo last; sleep 4.4; echo x > "$BATON_OUTPUT_OUT"',
    },
  ]);
  const times: number[] = [];
  const lines = new Set<string | null>();
  await run(world, {
    onStatus: (status: Status) => {
      times.push(Date.parse(status.updated_at));
      lines.add(status.agents[0]!.last_line);
    },
  });
  const seconds = (times.at(-1)! - times[0]!) / 1000;
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.max(...gaps)).toBeLessThan(3600);
  expect(lines).toContain('last');
  expect(lines.size).toBeGreaterThan(3);
  expect(lines.size).toBeLessThan(seconds * 4 + 4);
});

test('words said before this engine listened are shown too, without control characters', async () => {
  const world = makeWorld([{ name: 'early', script: `printf '\\033[31mred\\033[0m word\\a\\n'; ${patient}` }]);
  const child = spawn(process.execPath, [ENGINE, 'run', world.file], { stdio: 'ignore' });
  const log = path.join(world.workspace, 'logs/early/stdout.log');
  await waitFor(() => existsSync(log) && readFileSync(log, 'utf8').includes('word'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const running = resumeExecution(world.workspace, { allowRoots: [] });
  const seen = await waitFor(() => {
    const status = statusOf(world);
    return status?.engine_pid === process.pid && status.agents[0]?.last_line ? status.agents[0] : null;
  });
  expect(seen).toMatchObject({ last_line: 'red word', status: 'running', attempt: 1 });
  expect(seen.pane).toMatch(/^%\d+$/);
  open(world);
  expect((await running).report.status).toBe('success');
});

test('with too little free disk no agent starts, status and report say why, and it goes on when there is room', async () => {
  process.env.BATON_MIN_FREE_MB = '999999999';
  try {
    const world = makeWorld([{ name: 'a', script: writeOut }]);
    const running = run(world);
    const note = await waitFor(() => statusOf(world)?.note);
    expect(note).toMatch(/^only \d+ MB are free at .*, 999999999 MB are needed to start an agent; make room$/);
    expect(statusOf(world)!.counts.pending).toBe(1);
    expect(existsSync(path.join(world.workspace, '.baton/marks/a.1.started'))).toBe(false);
    process.env.BATON_MIN_FREE_MB = '1';
    const { report } = await running;
    expect(report.status).toBe('success');
    expect(report.warnings).toEqual([{ agent: null, message: note, severity: 'high' }]);
  } finally {
    delete process.env.BATON_MIN_FREE_MB;
  }
});

test('high memory is a warning of the report, as in the example of the protocol', async () => {
  const eat = `const b = Buffer.alloc(560 << 20, 1); console.log("eaten"); while (!fs.existsSync(process.env.BATON_WORKSPACE + "/go")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); b.fill(2, 0, 1)`;
  const world = makeWorld([{ name: 'hungry', script: `"${process.execPath}" -e '${eat}'; ${writeOut}` }]);
  const running = run(world);
  const log = path.join(world.workspace, 'logs/hungry/stdout.log');
  await waitFor(() => existsSync(log) && readFileSync(log, 'utf8').includes('eaten'));
  await sleep(2300); // a tree that is not new any more is looked at every two seconds
  open(world);
  const { report } = await running;
  const peak = report.agents[0]!.metrics.peak_memory_mb as number;
  expect(peak).toBeGreaterThan(560);
  expect(report.warnings).toEqual([
    { agent: 'hungry', message: `High memory usage detected (${Math.round(peak)}MB peak)`, severity: 'low' },
  ]);
});

test.each([
  ['debug', ['attempt_opened', 'execution_started', 'attempt_ended']],
  ['info', ['execution_started', 'attempt_ended']],
  ['warn', ['attempt_ended']],
  ['error', []],
] as const)('log_level %s decides what logs/engine.log holds', async (level, expected) => {
  const world = makeWorld([{ name: 'a', script: 'exit 1' }], {
    execution_options: { max_retries: 0, log_level: level },
  });
  await run(world);
  const file = path.join(world.workspace, 'logs/engine.log');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const type of ['attempt_opened', 'execution_started', 'attempt_ended'])
    expect(text.includes(` ${type} `), type).toBe((expected as readonly string[]).includes(type));
});

test('attempts that fail wait longer each time, and leave their outputs and logs apart', async () => {
  const script =
    'echo "try $BATON_ATTEMPT"; echo "$BATON_ATTEMPT" > "$BATON_OUTPUT_OUT"; printf \'{"status":"failed"}\' > "$BATON_RESULT_FILE"';
  const world = makeWorld([{ name: 'a', script }]);
  const { report } = await run(world);
  const [one, two, three] = report.agents[0]!.attempts;
  expect(Date.parse(two!.start_time) - Date.parse(one!.end_time)).toBeGreaterThanOrEqual(500);
  expect(Date.parse(three!.start_time) - Date.parse(two!.end_time)).toBeGreaterThanOrEqual(1000);
  expect(one!.reason).toBe('the agent itself reports "failed"');
  for (const n of [1, 2]) {
    expect(world.read(`attempts/${n}/a/outputs/out`)).toBe(`${n}\n`);
    expect(world.read(`attempts/${n}/a/agent_result.json`)).toContain('failed');
    expect(world.read(`attempts/${n}/a/logs/stdout.log`)).toBe(`try ${n}\n`);
  }
  expect(world.read('logs/a/stdout.log')).toBe('try 3\n');
  expect(new Set([one!.tmux_session, two!.tmux_session, three!.tmux_session]).size).toBe(3);
});
