// `baton conflicts`: what the merge could not decide.

import { findExecution } from '../../engine/find-execution.ts';
import type { ConflictReport } from '../../protocol/conflicts.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { conflictLines } from '../../text/conflict-view.ts';
import type { CommandInput } from '../command-spec.ts';
import { didYouMean } from '../did-you-mean.ts';
import { jsonText } from '../json-text.ts';
import { readConflicts } from '../read-conflicts.ts';

export async function run(input: CommandInput): Promise<number> {
  const { id, workspace } = await findExecution(input.args[0]!);
  const report = only(await readConflicts(id, workspace), input.args[1]);
  if (input.flag('json')) {
    input.say(jsonText(report ?? { execution_id: id, conflicts: [] }));
    return exitCodes.success;
  }
  if (report === null) input.say(`execution ${id} has no conflicts`);
  for (const conflict of report?.conflicts ?? []) {
    for (const line of conflictLines(conflict, input.out.width(), input.out.paint)) input.say(line);
    input.say('');
  }
  if (report !== null) input.say(`to decide: baton merge ${id} --take <conflict>=<agent>|<file>`);
  return exitCodes.success;
}

function only(report: ConflictReport | null, wanted: string | undefined): ConflictReport | null {
  if (report === null || wanted === undefined) return report;
  const conflicts = report.conflicts.filter(({ id }) => id === wanted);
  if (conflicts.length > 0) return { ...report, conflicts };
  const ids = report.conflicts.map(({ id }) => id);
  const cure = didYouMean(wanted, ids) ?? `the conflicts are: ${ids.join(', ')}`;
  throw new Fault('invalid', `there is no conflict "${wanted}"`, cure);
}
