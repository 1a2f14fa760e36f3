// `baton clean`: removes the working files of old executions, after showing them and asking.

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { removableExecutions, removeExecution } from '../../engine/clean-executions.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { bytesText, counted } from '../span-text.ts';

const DEFAULT_DAYS = 30;

export async function run(input: CommandInput): Promise<number> {
  const days = parseDays(input.text('older-than'));
  const old = await removableExecutions(days);
  if (old.length === 0) {
    input.say(`no merged execution ended more than ${counted(days, 'day')} ago`);
    return exitCodes.success;
  }
  for (const { id, bytes, endedAt, workspace } of old) {
    input.say(`  ${id}  ended ${endedAt.slice(0, 10)}  ${bytesText(bytes)}  ${plainText(workspace)}`);
  }
  if (!input.flag('yes') && !(await isConfirmed(input, old.length))) {
    input.say('nothing was removed');
    return exitCodes.success;
  }
  for (const execution of old) await removeExecution(execution);
  input.say(
    `cleaned ${counted(old.length, 'execution')}: ${bytesText(old.reduce((sum, { bytes }) => sum + bytes, 0))}`,
  );
  return exitCodes.success;
}

export function parseDays(text: string | undefined): number {
  if (text === undefined) return DEFAULT_DAYS;
  const match = /^(\d{1,5})d?$/.exec(text);
  if (match !== null) return Number(match[1]);
  throw new Fault('invalid', `--older-than is "${text}", not a number of days`, 'write for example: --older-than 30d');
}

async function isConfirmed(input: CommandInput, count: number): Promise<boolean> {
  if (!input.out.isTerminal || process.stdin.isTTY !== true) {
    throw new Fault('refused', 'there is no terminal to ask on', 'add --yes to remove them without asking');
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const whose = count === 1 ? 'this execution' : `these ${count} executions`;
  // Ctrl-C rejects the question, Ctrl-D leaves it open for ever: both mean that nobody answers.
  const gone = once(lines, 'close').then(() => null);
  const answered = lines.question(`remove the working files of ${whose}? [y/N] `).catch(() => null);
  const answer = await Promise.race([answered, gone]);
  lines.close();
  if (answer !== null) return /^y(es)?$/i.test(answer.trim());
  input.say('');
  throw new Fault('cancelled', 'nothing was removed', '');
}
