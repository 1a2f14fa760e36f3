// `kill -9` of the engine at random moments: agents go on in tmux, `resume` picks up, nothing runs twice,
// and the report is the one an undisturbed run gives.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../../src/engine/journal.ts';
import { resumeExecution, runRequest } from '../../src/engine/run-execution.ts';
import type { ExecutionReport } from '../../src/protocol/report.ts';
import { size } from '../test-size.ts';
import { type AgentSpec, leftBehind, makeFolder, makeWorld, type World } from './engine-world.ts';

const KILLS = size(3, 20);
const ENGINE = path.join(import.meta.dirname, 'run-engine.ts');

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

const start = (world: World): ChildProcess => spawn(process.execPath, [ENGINE, 'run', world.file], { stdio: 'ignore' });

const makeTwelve = (): World & { ledger: string } => {
  const ledger = path.join(makeFolder(), 'ledger');
  return { ...makeWorld(twelve(ledger), { execution_options: { parallel_limit: 3, max_retries: 1 } }), ledger };
};

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise(resolve => child.once('exit', resolve));
}

type Result = { report: ExecutionReport; ledger: string[]; merged: string[]; workspace: string };

async function runKilled(delayMs: number): Promise<Result> {
  const world = makeTwelve();
  const child = start(world);
  const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
  await ended(child);
  clearTimeout(timer);
  const report = await goOn(world);
  const ledger = readFileSync(world.ledger, 'utf8').trim().split('\n').sort();
  const merged = path.join(world.workspace, 'merged');
  const files = readdirSync(merged).map(name => `${name}: ${readFileSync(path.join(merged, name), 'utf8')}`);
  return { report, ledger, merged: files.sort(), workspace: world.workspace };
}

async function goOn(world: World): Promise<ExecutionReport> {
  if (existsSync(path.join(world.workspace, 'execution_report.json')))
    return JSON.parse(world.read('execution_report.json'));
  const hasBegun = readJournal(path.join(world.workspace, 'events.ndjson')).events.length > 0;
  const { report } = hasBegun
    ? await resumeExecution(world.workspace, { allowRoots: [] })
    : await runRequest({ file: world.file }, { allowRoots: [] });
  return report;
}

test(`after kill -9 at ${KILLS} random moments the report is the same and every attempt ran once`, {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  const began = performance.now();
  const calm = await runKilled(60_000);
  const took = performance.now() - began;
  expect(calm.report.status).toBe('partial_success');
  for (let kill = 0; kill < KILLS; kill++) {
    const delay = Math.random() * took;
    const hit = await runKilled(delay);
    const when = `killed after ${Math.round(delay)} of ${Math.round(took)} ms`;
    expect(hit.ledger, when).toEqual(calm.ledger);
    expect(plain(hit.report), when).toEqual(plain(calm.report));
    expect(hit.merged, when).toEqual(calm.merged);
    expect(leftBehind(hit.workspace), when).toEqual([]);
  }
});
