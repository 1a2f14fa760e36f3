// `baton clean`: removes the working files of old executions, after showing them and asking.

import { removableExecutions, removeExecution } from '../../engine/clean-executions.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { bytesText, counted } from '../../text/span-text.ts';
import type { CommandInput } from '../command-spec.ts';
import { confirm } from '../confirm.ts';

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
  const whose = old.length === 1 ? 'this execution' : `these ${old.length} executions`;
  const question = {
    question: `remove the working files of ${whose}?`,
    cure: 'add --yes to remove them without asking',
    nothing: 'nothing was removed',
  };
  if (!input.flag('yes') && !(await confirm(input, question))) {
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
