// What a running engine answered to a wish.

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

export function noEngine(id: string): Fault {
  return new Fault(
    'refused',
    `no engine is running for execution ${id}`,
    `\`baton status ${id}\` shows how it stands; \`baton resume ${id}\` goes on`,
  );
}
