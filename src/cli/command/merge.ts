// `baton merge`: finishes a merge with a person's decisions. No agent runs again.

import { statSync } from 'node:fs';
import path from 'node:path';
import { findExecution } from '../../engine/find-execution.ts';
import { mergeAgain } from '../../engine/merge-again.ts';
import { exitCodeOf } from '../../engine/run-execution.ts';
import { Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { type Choice, parseTakes } from '../parse-takes.ts';
import { readConflicts } from '../read-conflicts.ts';
import { verdictLines } from '../verdict-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const { id, workspace } = await findExecution(input.args[0]!);
  const conflicts = (await readConflicts(id, workspace))?.conflicts ?? [];
  if (conflicts.length === 0 && input.texts('take').length > 0) {
    throw new Fault(
      'refused',
      `execution ${id} has no conflicts to decide`,
      `\`baton status ${id}\` shows how it stands`,
    );
  }
  const taken = parseTakes(input.texts('take'), conflicts, isFile);
  const { report, reportFile } = await mergeAgain(workspace, mapChoices(taken));
  if (input.flag('json')) input.say(jsonText(report));
  else for (const line of verdictLines(report, reportFile, input.out.paint)) input.say(line);
  return exitCodeOf(report);
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

// A file is named from where the person stands.
function mapChoices(taken: Record<string, Choice>): Record<string, Choice> {
  const absolute = (choice: Choice) => ('file' in choice ? { file: path.resolve(choice.file) } : choice);
  return Object.fromEntries(Object.entries(taken).map(([id, choice]) => [id, absolute(choice)]));
}
