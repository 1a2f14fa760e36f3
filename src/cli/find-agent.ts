// <agent> on the command line → one agent of one execution. Running executions are asked first.

import { type Execution, findExecution, listExecutions } from '../engine/find-execution.ts';
import { isRunning, readStatus } from '../engine/read-execution.ts';
import { Fault } from '../protocol/fault.ts';
import type { AgentLine, Status } from '../protocol/status.ts';
import { didYouMean } from './did-you-mean.ts';

export type FoundAgent = { execution: Execution; agent: AgentLine };
type Known = { execution: Execution; status: Status; isRunning: boolean };

export async function findAgent(ref: string, executionRef: string | undefined): Promise<FoundAgent> {
  const slash = ref.lastIndexOf('/');
  const within = executionRef ?? (slash > 0 ? ref.slice(0, slash) : undefined);
  const name = slash > 0 ? ref.slice(slash + 1) : ref;
  const executions = within === undefined ? await listExecutions() : [await findExecution(within)];
  return chooseAgent(name, await Promise.all(executions.map(look)).then(all => all.filter(known => known !== null)));
}

async function look(execution: Execution): Promise<Known | null> {
  const status = await readStatus(execution.workspace);
  if (status === null) return null;
  return { execution, status, isRunning: (await isRunning(execution.workspace)) !== null };
}

// Newest first. Several that run are a question for the caller; of several that ended, the newest is meant.
export function chooseAgent(name: string, known: readonly Known[]): FoundAgent {
  const having = known.flatMap(each => {
    const agent = each.status.agents.find(line => line.agent_name === name);
    return agent === undefined ? [] : [{ execution: each.execution, agent, isRunning: each.isRunning }];
  });
  const running = having.filter(each => each.isRunning);
  if (running.length > 1) {
    const names = running.map(({ execution }) => `${execution.id}/${name}`);
    throw new Fault('invalid', `several running executions have an agent "${name}"`, `name one: ${names.join(', ')}`);
  }
  const found = running[0] ?? having[0];
  if (found !== undefined) return { execution: found.execution, agent: found.agent };
  const names = [...new Set(known.flatMap(({ status }) => status.agents.map(agent => agent.agent_name)))];
  throw new Fault(
    'invalid',
    `no execution has an agent "${name}"`,
    didYouMean(name, names) ?? '`baton status` shows the agents',
  );
}
