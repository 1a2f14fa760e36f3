// `baton rollback`: the workspace as it was before the first agent.

import { findExecution } from '../../engine/find-execution.ts';
import { rollbackExecution } from '../../engine/rollback-execution.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const { id, workspace } = await findExecution(input.args[0]!);
  const { restored } = await rollbackExecution(workspace);
  if (input.flag('json')) input.say(jsonText({ execution_id: id, restored }));
  else {
    for (const place of restored) input.say(`  ${plainText(place)}`);
    input.say(`rolled back ${id}: ${restored.length} ${restored.length === 1 ? 'path' : 'paths'} restored`);
  }
  return exitCodes.success;
}
