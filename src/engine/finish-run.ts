// From "all agents have ended" to the report: outputs are looked at once more, merged, and told.

import { makeCheckpoint } from '../checkpoint/make-checkpoint.ts';
import { openCheckpoint } from '../checkpoint/read-checkpoint.ts';
import { iso } from '../clock/clock.ts';
import { isInside } from '../files/guard-path.ts';
import { writeJson } from '../files/write-file.ts';
import { runMerge } from '../merge/merge-runner.ts';
import type { ExecutionReport, MergeResult } from '../protocol/report.ts';
import type { Phase } from '../protocol/status.ts';
import { buildReport, noMerge } from '../run/build-report.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { lookAtOutputs } from './look-at-output.ts';
import { isThere } from './prepare-attempt.ts';
import type { RunRecord } from './run-record.ts';

export function enterPhase(record: RunRecord, phase: Phase): void {
  if (record.state().phase !== phase) record.append({ type: 'phase_entered', agent: null, data: { phase } });
}

// The snapshot `baton rollback` restores: what the request names, as far as it lies where we may write.
export function coveredPlaces(context: Pick<EngineContext, 'agents' | 'roots'>): string[] {
  const named = [...context.agents.values()].flatMap(agent => [
    ...Object.values(agent.inputs),
    ...Object.values(agent.outputs),
  ]);
  const isOurs = (place: string) =>
    context.roots.some(root => isInside(place, root)) && !context.roots.some(root => isInside(root, place));
  return [...new Set(named)].filter(isOurs);
}

export async function takeCheckpoint(context: EngineContext, record: RunRecord): Promise<void> {
  const { workspace, checkpointFile: file } = context.places;
  if (!record.state().request.execution_options.checkpoint_enabled || (await isThere(file))) return;
  const made = await makeCheckpoint({ workspace, covered: coveredPlaces(context), roots: context.roots, file });
  record.append({ type: 'checkpoint_made', agent: null, data: { file, bytes: made.bytes } });
}

// Every attempt closed its own session; this finds what a crash or a lost answer left.
async function closeAll({ tmux, places }: EngineContext, record: RunRecord): Promise<void> {
  try {
    const panes = (await tmux.listPanes()).filter(pane => pane.tags.workspace === places.workspace);
    await tmux.closeSessions(panes.map(pane => pane.session));
  } catch (error) {
    const message = `whether all its tmux sessions have ended is not known: ${error}`;
    record.append({ type: 'warning', agent: null, data: { message, severity: 'medium' } });
  }
}

export async function finishRun(context: EngineContext, record: RunRecord): Promise<ExecutionReport> {
  if (record.state().merge === null) {
    await closeAll(context, record);
    enterPhase(record, 'validate');
    await validateAgain(context, record);
    enterPhase(record, 'merge');
    await record.flush();
    record.append({ type: 'merge_ended', agent: null, data: { result: await mergeRun(context, record, {}) } });
  }
  return writeReport(context, record);
}

// An agent that was fine when it ended may have lost its output to another one since.
async function validateAgain(context: EngineContext, record: RunRecord): Promise<void> {
  if (record.state().ending !== null) return;
  for (const agent of successful(context, record)) {
    const outputs = await lookAtOutputs(agent, context.roots, null);
    const lost = Object.entries(outputs).filter(([, output]) => output.complaint !== null);
    if (lost.length === 0) continue;
    const reason = lost
      .map(([slot, output]) => `output "${slot}", verified when it ended, now ${output.complaint}`)
      .join('; ');
    record.append({ type: 'output_lost', agent: agent.request.agent_name, data: { reason } });
  }
}

function successful(context: EngineContext, record: RunRecord): SettledAgent[] {
  return [...record.state().agents.values()].flatMap(run => {
    const isGood = run.state.at === 'ended' && run.state.status === 'success';
    return isGood ? [context.agents.get(run.request.agent_name)!] : [];
  });
}

export type Taken = Record<string, { agent: string } | { file: string }>;

export async function mergeRun(context: EngineContext, record: RunRecord, taken: Taken): Promise<MergeResult> {
  const state = record.state();
  if (state.ending !== null) return noMerge(`the execution ended as ${state.ending}`);
  const agents = successful(context, record);
  if (agents.length === 0) return noMerge('no agent succeeded');
  const { checkpointFile } = context.places;
  const checkpoint = (await isThere(checkpointFile)) ? await openCheckpoint(checkpointFile).catch(() => null) : null;
  try {
    const { result, warnings } = await runMerge({
      executionId: context.executionId,
      workspace: context.places.workspace,
      strategy: state.request.merge_strategy,
      agents: agents.map(({ request, outputs }) => ({
        name: request.agent_name,
        dependencies: request.dependencies,
        outputs,
      })),
      inputs: agents.flatMap(({ request, inputs }) =>
        Object.values(inputs).map(path => ({ agent: request.agent_name, path })),
      ),
      baseFromCheckpoint: async path => (checkpoint === null ? null : checkpoint.read(path)),
      allowedRoots: context.roots,
      taken,
      now: iso(context.clock.now()),
    });
    for (const { agent, message, severity } of warnings)
      record.append({ type: 'warning', agent, data: { message, severity } });
    return result;
  } catch (error) {
    if (Object.keys(taken).length > 0) throw error; // a wrong choice is the person's to mend
    return { ...noMerge(error instanceof Error ? error.message : String(error)), status: 'failed' };
  }
}

// The event first, the report last: its presence means that the execution is over.
export async function writeReport(context: EngineContext, record: RunRecord): Promise<ExecutionReport> {
  const { report: file } = context.places;
  if (record.state().ended === null) {
    const { status } = buildReport(record.state(), context.clock.now());
    record.append({ type: 'execution_ended', agent: null, data: { status, report: file } });
  }
  await record.flush();
  const report = context.redactor.value(buildReport(record.state(), record.state().ended!.at));
  await writeJson(file, report);
  return report;
}
