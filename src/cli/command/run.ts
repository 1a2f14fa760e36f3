// `baton run`: one request, from file to report.

import path from 'node:path';
import { runRequest } from '../../engine/run-execution.ts';
import type { CommandInput } from '../command-spec.ts';
import { followRun } from '../follow-run.ts';
import { allowRoots, requestFile, trusted } from '../request-source.ts';

export async function run(input: CommandInput): Promise<number> {
  const file = requestFile(input);
  const output = input.text('output');
  return followRun(input, watching =>
    runRequest(
      { file },
      {
        allowRoots: allowRoots(input),
        trusted: trusted(input),
        again: input.flag('again'),
        ...(output === undefined ? {} : { output: path.resolve(output) }),
        ...watching,
      },
    ),
  );
}
