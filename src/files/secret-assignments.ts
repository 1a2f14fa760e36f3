// NAME=value where the name says that the value is a secret: what agents quote out of an environment or a .env file.
// Pure.

import { looksSecret } from './secret-names.ts';
import { secretShapes } from './secret-shapes.ts';

const ASSIGNMENT = /(?<![A-Za-z0-9_$])([A-Z][A-Z0-9_]{2,80})=("[^"\n]{1,4096}"|'[^'\n]{1,4096}'|[^\s"'`,;()]{1,4096})/g;

// A value that only stands for one: $TOKEN, <your token>, [redacted], ***, xxxx, secrets.TOKEN.
const STAND_IN =
  /^(?:[$<{[(*%&…]|\.\.\.|x{3,}|your|changeme|change_me|example|redacted|secrets?\.|process\.env|env\.)/i;

const isSecret = (name: string, given: string): boolean => {
  const value = given.replace(/^["']|["']$/g, '');
  return !STAND_IN.test(value) && looksSecret(name, value);
};

const shapes = new RegExp(secretShapes.join('|'), 'g');

// Without what looks like a secret, by its shape or by the name before it; for words of others that go into a text.
export const withoutSecrets = (text: string): string => withoutAssignments(text.replace(shapes, '[redacted]'));

const withoutAssignments = (text: string): string =>
  text.replace(ASSIGNMENT, (whole, name: string, value: string) =>
    isSecret(name, value) ? `${name}=[redacted]` : whole,
  );

// Where the first one begins; -1: there is none.
export function findAssignment(text: string): number {
  for (const found of text.matchAll(ASSIGNMENT)) if (isSecret(found[1]!, found[2]!)) return found.index;
  return -1;
}
