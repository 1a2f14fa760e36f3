// `baton retry`: one agent and its dependents again. A running engine does it; else this becomes one.

import { type Command, sendCommand } from '../../engine/control-socket.ts';
import { findExecution } from '../../engine/find-execution.ts';
import { readStatus } from '../../engine/read-execution.ts';
import { resumeExecution } from '../../engine/run-execution.ts';
import { Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { didYouMean } from '../did-you-mean.ts';
import { followRun } from '../follow-run.ts';
import { tellAnswer } from '../tell-answer.ts';

export async function run(input: CommandInput): Promise<number> {
  const [ref, agent] = input.args as [string, string];
  const { id, workspace } = await findExecution(ref);
  const names = (await readStatus(workspace))?.agents.map(line => line.agent_name) ?? [];
  if (names.length > 0 && !names.includes(agent)) {
    const hint = didYouMean(agent, names) ?? `its agents are: ${names.join(', ')}`;
    throw new Fault('invalid', `execution ${id} has no agent "${agent}"`, hint);
  }
  const command: Command = { do: 'retry', agent };
  const answer = await sendCommand(workspace, command);
  if (answer !== null) return tellAnswer(input, answer);
  return followRun(input, watching => resumeExecution(workspace, { allowRoots: [], first: command, ...watching }));
}
