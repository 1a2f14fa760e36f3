// The end of an attempt, whichever way it came: its processes are gone, its session closed, its logs
// free of secrets, its results verified.

import { setTimeout as sleep } from 'node:timers/promises';
import { endTree, membersOf, type TreeRoot } from '../process/end-tree.ts';
import { carriersOf, readProcess, recentProcesses } from '../process/process-table.ts';
import type { AttemptOutcome } from '../protocol/event.ts';
import type { ReportWarning } from '../protocol/report.ts';
import { type AgentRun, type Attempt, currentAttempt, type Exit, type Stop } from '../run/run-state.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import { claudeWarnings } from './claude-report.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { cutOffNotes, endChain } from './end-chain.ts';
import { providerOf } from './provider.ts';
import { readExit } from './read-mark.ts';
import { verifyAttempt } from './verify-attempt.ts';

const GRACE_MS = 5000;
// After the agent its two `tee` empty their pipes; a child it left behind keeps them open for ever.
const DRAIN_MS = 500;
const LOOK_MS = 10;
const TABLE_AGE_MS = 30;
// The writer of the raw pane log ends when its session does; this is how long it may take over its last words.
const LAST_WORDS_MS = 2000;

export type EndWorld = { context: EngineContext; closeSession: (session: string) => Promise<void> };
export type EndOptions = { run: AgentRun; exit: Exit | null; stopped: Stop | null; signal: AbortSignal };
export type AttemptEnd = { outcome: AttemptOutcome; warnings: Pick<ReportWarning, 'message' | 'severity'>[] };

export async function endAttempt(world: EndWorld, agent: SettledAgent, o: EndOptions): Promise<AttemptEnd> {
  const { context } = world;
  const now = currentAttempt(o.run);
  const name = agent.request.agent_name;
  const places = attemptPlaces(context.places.workspace, name, now.attempt);
  const warnings: AttemptEnd['warnings'] = [];
  const root = rootOf(now, places.taskFile);
  if (o.stopped === null) await drain(root);
  if (o.stopped !== null || membersOf(root, recentProcesses(TABLE_AGE_MS)).length > 0) {
    const { left } = await endTree(root, GRACE_MS);
    if (left > 0) warnings.push({ message: `${left} of its processes could not be ended`, severity: 'high' });
  }
  const exit = o.exit ??
    readExit(providerOf(agent.config).mark(context.places.workspace, name, now.attempt)) ?? {
      code: null,
      signal: null,
    };
  const peakMemoryMb = context.memory.take(name);
  await world.closeSession(now.session);
  const rawLog = `${context.places.tmux}/${now.session}.log`;
  await writerEnded(rawLog);
  for (const file of [places.logs.stdout, places.logs.stderr, rawLog]) {
    await context.redactor.file(file).catch(error => {
      warnings.push({ message: `${file} may hold secrets, it could not be redacted: ${error}`, severity: 'high' });
    });
  }
  const chain = agent.config.provider === 'claude-headless' ? await endChain(context, agent, now.attempt) : null;
  const ending = { now, exit, stopped: o.stopped, peakMemoryMb, chain, signal: o.signal };
  const outcome = await verifyAttempt(context, agent, ending);
  const ofChain = [...(chain?.warnings ?? []), ...cutOffNotes(chain, outcome.status)];
  return { outcome, warnings: [...warnings, ...ofChain, ...claudeWarnings(outcome.claude)] };
}

function rootOf({ opened }: Attempt, taskFile: string): TreeRoot {
  const mark = `BATON_TASK_FILE=${taskFile}`;
  return opened ? { pid: opened.pid, start: opened.pidStart, mark } : { pid: -1, start: '', mark };
}

// What it appended after the redaction would stay as it is.
async function writerEnded(rawLog: string): Promise<void> {
  const mark = `BATON_RAW_LOG=${rawLog}`;
  const until = performance.now() + LAST_WORDS_MS;
  while (carriersOf(recentProcesses(LOOK_MS), mark).length > 0) {
    if (performance.now() > until) return void (await endTree({ pid: -1, start: '', mark }, 0));
    await sleep(LOOK_MS);
  }
}

async function drain(root: TreeRoot): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  while (readProcess(root.pid)?.start === root.start && performance.now() < until) {
    if (readProcess(root.pid)?.isZombie) return;
    await sleep(LOOK_MS);
  }
}
