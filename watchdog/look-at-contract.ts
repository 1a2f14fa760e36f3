// Has an agent of an execution done what it owes, as far as the disk tells? The engine's own judgement, without its
// checks: those are commands, and the engine's to run. Where they find something, the agent goes on, and may be due again.

import path from 'node:path';
import { lookAtOutput } from '../src/files/look-at-output.ts';
import { readResult } from '../src/files/read-result.ts';
import type { Seen } from '../src/handoff/handoff-types.ts';
import { needsChecks } from '../src/run/judge-attempt.ts';
import type { WatchedPane } from './watched-pane.ts';

export async function lookAtContract(contract: WatchedPane['contract']): Promise<Seen['contract']> {
  if (contract === null) return 'none';
  const said = await readResult(contract.resultFile, true);
  if (said.result === null) return 'unmet';
  const looked = contract.outputs.map(async output => {
    // Where it may lie is the engine's question too.
    const complaint = await lookAtOutput(output, [path.dirname(output)]).catch(String);
    return [output, { path: output, complaint }] as const;
  });
  const outputs = Object.fromEntries(await Promise.all(looked));
  const facts = { exit: { code: 0, signal: null }, exitWords: null, stopped: null, outputs, ...said };
  return needsChecks(facts) ? 'met' : 'unmet';
}
