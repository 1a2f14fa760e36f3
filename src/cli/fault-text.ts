// What is shown when a command could not go on, and the exit code that goes with it.

import { plainText } from '../files/plain-text.ts';
import { exitCodes, Fault } from '../protocol/fault.ts';
import type { Paint } from '../text/paint.ts';

export type FaultText = { lines: string[]; exitCode: number };

export function faultText(error: unknown, paint: Paint, isDebugging: boolean): FaultText {
  if (!(error instanceof Fault)) return internalText(error, paint, isDebugging);
  const lines = [`${paint('red', 'baton:')} ${plainText(error.message, { keepNewlines: true })}`];
  // One problem that only says the same again would be noise.
  const problems = error.problems.filter(problem => problem.message !== error.message);
  for (const { path, message, cure } of problems) {
    lines.push(`  ${paint('bold', plainText(path) || '(whole file)')}: ${plainText(message)}`);
    if (cure !== '') lines.push(`    ${paint('dim', 'cure:')} ${plainText(cure)}`);
  }
  if (error.cure !== '') lines.push(`  ${paint('dim', 'cure:')} ${plainText(error.cure)}`);
  if (isDebugging && error.stack !== undefined) lines.push(error.stack);
  return { lines, exitCode: exitCodes[error.code] };
}

function internalText(error: unknown, paint: Paint, isDebugging: boolean): FaultText {
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`${paint('red', 'baton:')} internal error: ${plainText(message, { keepNewlines: true })}`];
  if (isDebugging && error instanceof Error) lines.push(error.stack ?? '');
  else lines.push(`  ${paint('dim', 'cure:')} set BATON_DEBUG=1 and run it again to see where; please report it`);
  return { lines, exitCode: exitCodes.internal };
}
