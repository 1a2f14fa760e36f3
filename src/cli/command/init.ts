// `baton init`: makes a project ready for handoffs, or takes that out again.

import { plainText } from '../../files/plain-text.ts';
import { initProject } from '../../project/init-project.ts';
import type { Deed } from '../../project/init-steps.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { Colour } from '../../text/paint.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { wrapText } from '../wrap-text.ts';

const words: Record<Deed, readonly [done: string, wish: string, colour: Colour]> = {
  create: ['created', 'would create', 'green'],
  update: ['changed', 'would change', 'green'],
  remove: ['removed', 'would remove', 'yellow'],
  keep: ['kept', 'would keep', 'dim'],
};

export async function run(input: CommandInput): Promise<number> {
  const [remove, dryRun] = [input.flag('remove'), input.flag('dry-run')];
  const { folder, repository, done } = await initProject(input.args[0] ?? '.', { remove, dryRun, env: process.env });
  if (input.flag('json')) {
    input.say(jsonText({ folder, dry_run: dryRun, steps: done }));
    return exitCodes.success;
  }
  const width = dryRun ? 12 : 7;
  for (const { path, deed, why } of done) {
    const [past, wish, colour] = words[deed];
    const told = why === '' ? '' : `: ${why}`;
    const [first, ...rest] = wrapText(`${plainText(path)}${told}`, roomFor(input, width + 2));
    input.say(`${input.out.paint(colour, (dryRun ? wish : past).padEnd(width))}  ${first}`);
    for (const line of rest) input.say(' '.repeat(width + 2) + line);
  }
  if (dryRun || remove) return exitCodes.success;
  if (done.every(({ deed }) => deed === 'keep')) input.say('nothing was to do');
  else if (repository === null) input.say('no git repository here: handoffs are committed to one of Baton itself');
  else input.say('next: look at these files and commit them');
  return exitCodes.success;
}

const roomFor = (input: CommandInput, used: number): number =>
  input.out.isTerminal ? Math.max(20, input.out.width() - used) : Number.POSITIVE_INFINITY;
