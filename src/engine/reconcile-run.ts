// After a crash: what the events say and what the world shows are made to agree, before anything is done.

import { readProcess } from '../process/process-table.ts';
import type { EngineContext } from './context.ts';
import { providerOf } from './provider.ts';
import { hasStarted, readExit } from './read-mark.ts';
import type { RunRecord } from './run-record.ts';
import { openAttempts, type Start } from './start-attempts.ts';

// Answers with the agents whose attempt began and is gone without a trace.
export async function reconcileRun(context: EngineContext, record: RunRecord): Promise<Set<string>> {
  const vanished = new Set<string>();
  const intended: (Start & { session: string })[] = [];
  const running = [...record.state().agents.values()].filter(run => run.state.at === 'running');
  if (running.length === 0) return vanished;
  const panes = (await context.tmux.listPanes()).filter(pane => pane.tags.workspace === context.places.workspace);
  for (const run of running) {
    if (run.state.at !== 'running') continue;
    const { now } = run.state;
    const agent = run.request.agent_name;
    const provider = providerOf(context.agents.get(agent)!.config);
    const mark = provider.mark(context.places.workspace, agent, now.attempt);
    const pane = panes.find(pane => pane.tags.agent === agent && pane.tags.attempt === now.attempt);
    if (pane) {
      context.memory.add(agent, pane.pid);
      if (now.opened !== null) continue;
      const pidStart = readProcess(pane.pid)?.start ?? 'ended';
      record.append({
        type: 'attempt_opened',
        agent,
        data: { attempt: now.attempt, pane: pane.pane, pid: pane.pid, pid_start: pidStart },
      });
    } else if (readExit(mark) !== null || hasStarted(mark)) {
      // It ended while nobody looked. Its pane is unknown now, but its exit mark tells the rest.
      if (now.opened === null)
        record.append({
          type: 'attempt_opened',
          agent,
          data: { attempt: now.attempt, pane: '%gone', pid: -1, pid_start: 'ended' },
        });
      if (readExit(mark) === null) vanished.add(agent);
    } else {
      intended.push({ agent, attempt: now.attempt, session: now.session });
    }
  }
  await openAttempts(context, record, intended);
  return vanished;
}
