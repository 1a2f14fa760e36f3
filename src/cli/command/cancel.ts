// `baton cancel`: asks the running engine; where there is none but agents may go on, becomes the engine
// for as long as it takes to end them and to write the report.

import { sendCommand } from '../../engine/control-socket.ts';
import { findExecution } from '../../engine/find-execution.ts';
import { readReport } from '../../engine/read-execution.ts';
import { resumeExecution } from '../../engine/run-execution.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { followRun } from '../follow-run.ts';
import { tellAnswer } from '../tell-answer.ts';

export async function run(input: CommandInput): Promise<number> {
  const { id, workspace } = await findExecution(input.args[0]!);
  const answer = await sendCommand(workspace, { do: 'cancel' });
  if (answer !== null) return tellAnswer(input, answer);
  if ((await readReport(workspace)) !== null) {
    throw new Fault('refused', `execution ${id} has already finished`, `\`baton status ${id}\` shows how`);
  }
  const code = await followRun(input, watching =>
    resumeExecution(workspace, { allowRoots: [], first: { do: 'cancel' }, ...watching }),
  );
  return code === exitCodes.cancelled ? exitCodes.success : code;
}
