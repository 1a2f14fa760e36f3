// A question with y or n on the terminal. Nobody there to answer is a refusal, never a yes.

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Fault } from '../protocol/fault.ts';
import type { CommandInput } from './command-spec.ts';

export type Question = { question: string; cure: string; nothing: string }; // what is told when nobody answers

export async function confirm(input: CommandInput, { question, cure, nothing }: Question): Promise<boolean> {
  if (!input.out.isTerminal || process.stdin.isTTY !== true)
    throw new Fault('refused', 'there is no terminal to ask on', cure);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C rejects the question, Ctrl-D leaves it open for ever: both mean that nobody answers.
  const gone = once(lines, 'close').then(() => null);
  const answered = lines.question(`${question} [y/N] `).catch(() => null);
  const answer = await Promise.race([answered, gone]);
  lines.close();
  if (answer !== null) return /^y(es)?$/i.test(answer.trim());
  input.say('');
  throw new Fault('cancelled', nothing, '');
}
