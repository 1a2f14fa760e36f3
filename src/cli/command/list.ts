// `baton list`: all executions, newest first; also the source of completion (--ids, --agents).

import { type Execution, listExecutions } from '../../engine/find-execution.ts';
import { isRunning, readStatus } from '../../engine/read-execution.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { Status } from '../../protocol/status.ts';
import { agentState, calm, countsText } from '../../text/agent-state.ts';
import { dayText } from '../../text/span-text.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';

type Row = Execution & { status: Status | null; state: string };

export async function run(input: CommandInput): Promise<number> {
  const executions = await listExecutions();
  if (input.flag('ids')) for (const { id } of executions) input.say(id);
  else if (input.flag('agents')) for (const name of await agentNames(executions)) input.say(name);
  else show(input, await Promise.all(executions.map(toRow)));
  return exitCodes.success;
}

async function toRow(execution: Execution): Promise<Row> {
  const status = await readStatus(execution.workspace);
  const isLost = status?.status === 'running' && (await isRunning(execution.workspace)) === null;
  return { ...execution, status, state: status === null ? 'unknown' : isLost ? 'interrupted' : status.status };
}

async function agentNames(executions: readonly Execution[]): Promise<string[]> {
  const all = await Promise.all(executions.slice(0, 20).map(({ workspace }) => readStatus(workspace)));
  const running = all.filter(status => status?.status === 'running');
  const from = running.length > 0 ? running : all.slice(0, 1);
  return [...new Set(from.flatMap(status => status?.agents.map(agent => agent.agent_name) ?? []))];
}

function show(input: CommandInput, rows: readonly Row[]): void {
  if (input.flag('json')) {
    const values = rows.map(({ id, workspace, state, status }) => {
      return {
        execution_id: id,
        workspace_root: workspace,
        status: state,
        start_time: status?.start_time ?? null,
        counts: status?.counts ?? null,
      };
    });
    input.say(jsonText(values));
    return;
  }
  if (rows.length === 0) input.note('no executions yet; `baton new request` writes a request to begin with');
  const counts = (status: Status | null) => countsText(status?.agents.map(agent => agentState(agent, calm).look) ?? []);
  const idWidth = Math.max(0, ...rows.map(({ id }) => id.length));
  const countsWidth = Math.max(0, ...rows.map(({ status }) => counts(status).length));
  for (const { id, state, status, workspace } of rows) {
    const started = status === null ? '' : dayText(status.start_time);
    const columns = [id.padEnd(idWidth), state.padEnd(15), started.padEnd(16), counts(status).padEnd(countsWidth)];
    input.say([...columns, plainText(workspace)].join('  '));
  }
}
