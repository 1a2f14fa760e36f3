// `baton prompts`: every question that a running agent asks just now, and the command that answers it.

import { listExecutions } from '../../engine/find-execution.ts';
import { isRunning, readStatus } from '../../engine/read-execution.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { type OpenPrompt, openPrompts, promptLines } from '../prompt-lines.ts';

export async function run(input: CommandInput): Promise<number> {
  const prompts = await findPrompts();
  if (input.flag('json')) input.say(jsonText(prompts));
  else if (prompts.length === 0) input.note('no agent asks anything');
  else {
    const { paint, width } = input.out;
    for (const line of promptLines(prompts, { now: Date.now(), width: width() - 1, paint })) input.say(line);
  }
  return exitCodes.success;
}

async function findPrompts(): Promise<OpenPrompt[]> {
  const found = await Promise.all(
    (await listExecutions()).map(async ({ workspace }) => {
      const status = await readStatus(workspace).catch(() => null);
      if (status?.status !== 'running' || (await isRunning(workspace)) === null) return [];
      return openPrompts(status);
    }),
  );
  return found.flat().toSorted((a, b) => a.asked_at.localeCompare(b.asked_at));
}
