// Begins attempts, many with one call to tmux. The intention is on the disk before the deed; the launcher
// makes sure that an attempt that began is never begun again.

import { iso } from '../clock/clock.ts';
import { readProcess } from '../process/process-table.ts';
import type { AttemptOutcome } from '../protocol/event.ts';
import type { Logs } from '../run/run-state.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import type { SessionSpec } from '../tmux/tmux.ts';
import { claimNames } from './claim-names.ts';
import type { EngineContext } from './context.ts';
import { prepareAttempt, sessionSpec } from './prepare-attempt.ts';
import type { RunRecord } from './run-record.ts';
import { warnOnce } from './warn-once.ts';

export type Start = { agent: string; attempt: number };

export async function startAttempts(
  context: EngineContext,
  record: RunRecord,
  starts: readonly Start[],
): Promise<void> {
  const tried = await Promise.all(starts.map(start => prepared(context, record, start)));
  const ready = tried.filter(start => start !== null);
  const runs = [...record.state().agents.values()];
  const past = new Set(runs.flatMap(run => run.attempts.map(attempt => attempt.session)));
  const agents = ready.map(start => start.agent);
  const listSessions = () => context.tmux.listSessionNames().catch(() => new Set<string>());
  const claims = await claimNames(agents, iso(context.clock.now()), { past, listSessions });
  try {
    const named = ready.map((start, index) => {
      const session = claims.names[index]!;
      const { logs } = attemptPlaces(context.places.workspace, start.agent, start.attempt);
      record.append({ type: 'attempt_started', agent: start.agent, data: { attempt: start.attempt, session, logs } });
      return { ...start, session };
    });
    await openAttempts(context, record, named);
  } finally {
    claims.release();
  }
}

// The second half, also used after a crash for attempts that were intended but never began.
export async function openAttempts(
  context: EngineContext,
  record: RunRecord,
  starts: readonly (Start & { session: string })[],
): Promise<void> {
  if (starts.length === 0) return;
  await record.flush();
  const specs = await Promise.all(
    starts.map(({ agent, attempt, session }) => sessionSpec(context, context.agents.get(agent)!, { attempt, session })),
  );
  const { opened, complaint } = await context.tmux.openSessions(specs);
  const bySession = new Map(opened.map(pane => [pane.session, pane]));
  // An answer may be lost although the deed was done; the tags tell ours from anybody's session of that name.
  const seen = opened.length === specs.length ? [] : await context.tmux.listPanes().catch(() => []);
  for (const pane of seen) {
    const isOurs = ({ tags }: SessionSpec) => tags.workspace === pane.tags.workspace && tags.agent === pane.tags.agent;
    if (specs.some(spec => spec.session === pane.session && isOurs(spec))) bySession.set(pane.session, pane);
  }
  for (const { agent, attempt, session } of starts) {
    const pane = bySession.get(session);
    if (pane) {
      const pidStart = readProcess(pane.pid)?.start ?? 'ended';
      record.append({
        type: 'attempt_opened',
        agent,
        data: { attempt, pane: pane.pane, pid: pane.pid, pid_start: pidStart },
      });
      context.memory.add(agent, pane.pid);
    } else {
      const { logs } = attemptPlaces(context.places.workspace, agent, attempt);
      const reason = `tmux could not open its session: ${complaint.trim() || 'no answer'}`;
      record.append({ type: 'attempt_ended', agent, data: { attempt, outcome: failedOutcome(reason, logs) } });
    }
  }
}

async function prepared(context: EngineContext, record: RunRecord, start: Start): Promise<Start | null> {
  try {
    const notes = await prepareAttempt(context, context.agents.get(start.agent)!, start.attempt);
    for (const note of notes) warnOnce(record, start.agent, note);
    return start;
  } catch (error) {
    // A path that leads out, or a folder that cannot be made: trying again would meet the same.
    const { logs } = attemptPlaces(context.places.workspace, start.agent, start.attempt);
    const reason = `it could not be prepared: ${error instanceof Error ? error.message : String(error)}`;
    record.append({
      type: 'attempt_started',
      agent: start.agent,
      data: { attempt: start.attempt, session: 'none', logs },
    });
    record.append({
      type: 'attempt_ended',
      agent: start.agent,
      data: { attempt: start.attempt, outcome: { ...failedOutcome(reason, logs), may_retry: false } },
    });
    return null;
  }
}

export const failedOutcome = (reason: string, logs: Logs): AttemptOutcome => ({
  status: 'failure',
  reason,
  may_retry: true,
  exit_code: null,
  signal: null,
  outputs_produced: {},
  success_criteria_met: {},
  success_criteria_evidence: {},
  logs,
  metrics: {},
  summary: null,
  files_modified: [],
  commits_made: [],
  claude: null,
});
