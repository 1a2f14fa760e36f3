// `kill -9` of the engine at random moments: agents go on in tmux, `resume` picks up, nothing runs twice,
// and the report is the one an undisturbed run gives.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resumeExecution } from '../../src/engine/run-execution.ts';
import type { ExecutionReport } from '../../src/protocol/report.ts';
import { type AgentSpec, leftBehind, makeWorld, type World, waitFor } from './engine-world.ts';

const KILLS = Number(process.env.BATON_KILLS ?? 3);
const BIN = path.resolve('dist/cli/bin.js');

// A diamond, a chain, one that fails once, one that always fails, and its dependent.
function twelve(ledger: string): AgentSpec[] {
  const work = `echo "$BATON_AGENT $BATON_ATTEMPT" >> ${ledger}; sleep 0.2; echo "$BATON_AGENT" > "$BATON_OUTPUT_OUT"`;
  const agent = (name: string, needs: string[] = [], script = work): AgentSpec => ({ name, needs, script });
  return [
    agent('a'),
    agent('b', ['a']),
    agent('c', ['a']),
    agent('d', ['b', 'c']),
    agent('e'),
    agent('f', ['e']),
    agent('g', ['f']),
    agent('h', [], `${work}; [ "$BATON_ATTEMPT" = 2 ] || exit 5`),
    agent('i', ['h']),
    agent('j', [], `${work}; exit 9`),
    agent('k', ['j']),
    agent('l', ['d', 'g']),
  ];
}

function plain(report: ExecutionReport): unknown {
  const text = JSON.stringify(report, (key, value) =>
    /time|duration|tmux_session|metrics|execution_id/.test(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(/\/tmp\/bw-[A-Za-z0-9]+/g, ''));
}

const start = (world: World): ChildProcess =>
  spawn(process.execPath, [BIN, 'run', '--request', world.file, '--quiet'], { stdio: 'ignore' });

const makeTwelve = (): World & { ledger: string } => {
  const ledger = `/tmp/bl-${process.pid}-${Math.random().toString(36).slice(2)}`;
  return { ...makeWorld(twelve(ledger), { execution_options: { parallel_limit: 3, max_retries: 1 } }), ledger };
};

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise(resolve => child.once('exit', resolve));
}

async function runKilled(delayMs: number): Promise<{ report: ExecutionReport; ledger: string[]; workspace: string }> {
  const world = makeTwelve();
  const child = start(world);
  await waitFor(() => existsSync(path.join(world.workspace, 'events.ndjson')));
  await new Promise(resolve => setTimeout(resolve, delayMs));
  child.kill('SIGKILL');
  await ended(child);
  const isOver = existsSync(path.join(world.workspace, 'execution_report.json'));
  const report = isOver
    ? JSON.parse(world.read('execution_report.json'))
    : (await resumeExecution(world.workspace, { allowRoots: [] })).report;
  const ledger = readFileSync(world.ledger, 'utf8').trim().split('\n').sort();
  rmSync(world.ledger);
  return { report, ledger, workspace: world.workspace };
}

test(`after kill -9 at ${KILLS} random moments the report is the same and every attempt ran once`, {
  timeout: 30_000 + KILLS * 15_000,
}, async () => {
  const calm = await runKilled(8000);
  expect(calm.report.status).toBe('partial_success');
  for (let kill = 0; kill < KILLS; kill++) {
    const delay = Math.random() * 2200;
    const hit = await runKilled(delay);
    expect(hit.ledger, `killed after ${delay} ms`).toEqual(calm.ledger);
    expect(plain(hit.report), `killed after ${delay} ms`).toEqual(plain(calm.report));
    expect(leftBehind(hit.workspace)).toEqual([]);
  }
});
