// `baton completion`: the script for one shell, made from the table of commands.

import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { commands } from '../commands.ts';
import { completionScripts } from '../completion-script.ts';
import { didYouMean } from '../did-you-mean.ts';

export async function run(input: CommandInput): Promise<number> {
  const shell = input.args[0]!;
  const names = Object.keys(completionScripts);
  const script = completionScripts[shell as keyof typeof completionScripts];
  if (!names.includes(shell)) {
    const hint = didYouMean(shell, names) ?? `the shells are: ${names.join(', ')}`;
    throw new Fault('invalid', `there is no completion for "${shell}"`, hint);
  }
  input.say(script(commands));
  return exitCodes.success;
}
