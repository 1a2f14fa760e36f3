// Which execution is meant where none was named: the newest that runs, else the newest.

import { type Execution, listExecutions } from '../engine/find-execution.ts';
import { isRunning } from '../engine/read-execution.ts';
import { Fault } from '../protocol/fault.ts';

export async function newestExecution(): Promise<Execution> {
  const all = await listExecutions();
  for (const execution of all) if ((await isRunning(execution.workspace)) !== null) return execution;
  if (all[0] !== undefined) return all[0];
  throw new Fault('invalid', 'there is no execution yet', 'write a request with `baton new request`, and run it');
}
