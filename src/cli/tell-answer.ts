// What a running engine answered to a wish.

import type { Execution } from '../engine/find-execution.ts';
import { readReport } from '../engine/read-execution.ts';
import { plainText } from '../files/plain-text.ts';
import { exitCodes, Fault } from '../protocol/fault.ts';
import type { CommandInput } from './command-spec.ts';
import { jsonText } from './json-text.ts';

export type Answer = { ok: boolean; message: string };

export function tellAnswer(input: CommandInput, answer: Answer): number {
  if (!answer.ok) throw new Fault('refused', answer.message, '`baton status` shows how it stands');
  input.say(input.flag('json') ? jsonText(answer) : plainText(answer.message));
  return exitCodes.success;
}

export async function noEngine({ id, workspace }: Execution): Promise<Fault> {
  if ((await readReport(workspace)) !== null) {
    return new Fault('refused', `execution ${id} has already finished`, `\`baton status ${id}\` shows how`);
  }
  return new Fault(
    'refused',
    `no engine is running for execution ${id}`,
    `\`baton status ${id}\` shows how it stands; \`baton resume ${id}\` goes on`,
  );
}
