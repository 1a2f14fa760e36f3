// Which request file is meant: --request F, or F alone.

import path from 'node:path';
import { Fault } from '../protocol/fault.ts';
import type { CommandInput } from './command-spec.ts';

export function requestFile({ args, text }: CommandInput): string {
  const [alone] = args;
  const named = text('request');
  if (alone !== undefined && named !== undefined) {
    throw new Fault('invalid', `two requests were named: "${named}" and "${alone}"`, 'name one');
  }
  const file = named ?? alone;
  if (file === undefined) throw new Fault('invalid', 'no request was named', 'write: --request execution_request.json');
  return path.resolve(file);
}

export const allowRoots = (input: CommandInput): string[] =>
  input.texts('allow-root').map(folder => path.resolve(folder));

export const trusted = (input: CommandInput): string[] => input.texts('trust').map(folder => path.resolve(folder));

// A whole number of at least 1, for options such as --attempt and --max-panes.
export function wholeNumber(input: CommandInput, name: string): number | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Fault('invalid', `--${name} is "${text}", not a whole number from 1 up`, `write for example: --${name} 4`);
}
