// Why a place cannot take a handoff, as one sentence for the report. Not a fault: the next place is tried.

import { plainText } from '../files/plain-text.ts';
import { makeRedactor } from '../files/redact.ts';

const MAX_SAID = 300;

export class CannotTake extends Error {
  override name = 'CannotTake';
}

// The branch moved while we prepared: the same attempt is worth repeating.
export class MovedAway extends CannotTake {}

// A hook may print whatever it likes; this ends up in a commit message.
export function safeWords(text: string): string {
  return plainText(makeRedactor(process.env).text(text), { max: MAX_SAID }).trim();
}
