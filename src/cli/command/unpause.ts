// `baton unpause`: agents start again after a pause.

import { sendCommand } from '../../engine/control-socket.ts';
import { findExecution } from '../../engine/find-execution.ts';
import type { CommandInput } from '../command-spec.ts';
import { noEngine, tellAnswer } from '../tell-answer.ts';

export async function run(input: CommandInput): Promise<number> {
  const execution = await findExecution(input.args[0]!);
  const answer = await sendCommand(execution.workspace, { do: 'unpause' });
  if (answer === null) throw await noEngine(execution);
  return tellAnswer(input, answer);
}
