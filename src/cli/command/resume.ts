// `baton resume`: a new engine for an execution whose engine has ended.

import { findExecution } from '../../engine/find-execution.ts';
import { resumeExecution } from '../../engine/run-execution.ts';
import type { CommandInput } from '../command-spec.ts';
import { followRun } from '../follow-run.ts';

export async function run(input: CommandInput): Promise<number> {
  const { workspace } = await findExecution(input.args[0]!);
  return followRun(input, watching => resumeExecution(workspace, { allowRoots: [], ...watching }));
}
