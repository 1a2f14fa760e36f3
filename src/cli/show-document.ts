// A handoff document, or an archived one, on stdout: laid out on a terminal, else its text. Control sequences and
// what looks like a secret are taken out either way.

import { plainText } from '../files/plain-text.ts';
import { makeRedactor } from '../files/redact.ts';
import type { CommandInput } from './command-spec.ts';
import { documentLines } from './document-lines.ts';

export function safeDocument(text: string): string {
  return plainText(makeRedactor(process.env).text(text), { keepNewlines: true });
}

export function showDocument(input: CommandInput, text: string): void {
  const safe = safeDocument(text);
  if (input.out.isTerminal) for (const line of documentLines(safe, input.out.width(), input.out.paint)) input.say(line);
  else if (safe !== '') input.say(safe.replace(/\n$/, ''));
}
