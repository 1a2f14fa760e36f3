// A fault is why the program cannot go on. What merely went badly (an agent failed, an output was
// wrong) is a value in the report and is never thrown. Exit codes live here and nowhere else.

import type { Problem } from './request.ts';

export const exitCodes = {
  success: 0,
  internal: 1,
  invalid: 2,
  partial: 3,
  failure: 4,
  review: 5,
  refused: 6,
  missing: 69,
  timeout: 124,
  cancelled: 130,
} as const;
export type ExitName = keyof typeof exitCodes;

export const exitMeanings: Record<ExitName, string> = {
  success: 'everything succeeded',
  internal: 'internal error: a fault of Baton itself',
  invalid: 'invalid input: request, option or name',
  partial: 'partial success: some agents failed',
  failure: 'failure: all agents failed, or the merge did',
  review: 'the merge needs review: see `baton conflicts`',
  refused: 'refused: held by another, still running, or already finished',
  missing: 'a needed program is missing',
  timeout: 'timeout of the whole execution',
  cancelled: 'cancelled',
};

export class Fault extends Error {
  override name = 'Fault';
  readonly code: ExitName;
  readonly cure: string;
  readonly problems: readonly Problem[];

  constructor(code: ExitName, message: string, cure: string, options: ErrorOptions & { problems?: Problem[] } = {}) {
    super(message, options);
    this.code = code;
    this.cure = cure;
    this.problems = options.problems ?? [];
  }
}
