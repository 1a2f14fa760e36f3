// `baton run`: one request, from file to report.

import path from 'node:path';
import { runRequest } from '../../engine/run-execution.ts';
import { loadSettings } from '../../project/load-settings.ts';
import { type SettingName, variableOf } from '../../protocol/config.ts';
import type { CommandInput } from '../command-spec.ts';
import { followRun } from '../follow-run.ts';
import { allowRoots, requestFile, trusted } from '../request-source.ts';
import { readSettingFlags } from '../setting-options.ts';

export async function run(input: CommandInput): Promise<number> {
  const file = requestFile(input);
  const output = input.text('output');
  const flags = readSettingFlags(input);
  await loadSettings('.', { env: process.env, flags }); // refused before anything is touched
  // The engine keeps for its agents what its environment says.
  for (const [name, text] of Object.entries(flags)) process.env[variableOf(name as SettingName)] = text;
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
