// Questions on a terminal, one line each, with what an empty answer means. Nobody there to answer is an end, never a
// default.

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { plainText } from '../files/plain-text.ts';
import { Fault } from '../protocol/fault.ts';
import type { CommandInput } from './command-spec.ts';

export type Ask = (
  question: string,
  o?: { otherwise?: string; check?: (answer: string) => string | null },
) => Promise<string>;

export async function withQuestions<T>(
  input: CommandInput,
  o: { cure: string; nothing: string },
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (!input.out.isTerminal || process.stdin.isTTY !== true)
    throw new Fault('refused', 'there is no terminal to ask on', o.cure);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const gone = once(lines, 'close').then(() => null);
  const ask: Ask = async (question, { otherwise, check } = {}) => {
    for (;;) {
      const answered = lines
        .question(`${question}${otherwise === undefined ? '' : ` [${otherwise}]`} `)
        .catch(() => null);
      const said = await Promise.race([answered, gone]);
      if (said === null) {
        input.say('');
        throw new Fault('cancelled', o.nothing, '');
      }
      const answer = plainText(said).trim() || (otherwise ?? '');
      const wrong = answer === '' ? 'an answer is needed' : (check?.(answer) ?? null);
      if (wrong === null) return answer;
      input.say(`  ${wrong}`);
    }
  };
  try {
    return await work(ask);
  } finally {
    lines.close();
  }
}
