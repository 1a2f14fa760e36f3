// `baton cost`: what was spent, as Claude Code told it. Reads what executions left; asks nobody.

import { type Execution, findExecution, listExecutions } from '../../engine/find-execution.ts';
import { readEvents, readStatus } from '../../engine/read-execution.ts';
import { type CostItem, costItems, sumCosts } from '../../pages/costs.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { foldEvents } from '../../run/run-state.ts';
import type { CommandInput } from '../command-spec.ts';
import { type CostView, costLines, costViews } from '../cost-lines.ts';
import { jsonText } from '../json-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const [ref] = input.args;
  const view = viewOf(input.text('by'));
  const executions = ref === undefined ? await listExecutions() : [await findExecution(ref)];
  const items: CostItem[] = [];
  let others = 0;
  const unread: string[] = [];
  for (const execution of executions) {
    const found = await itemsOf(execution).catch(() => null);
    if (found === null) unread.push(execution.id);
    else {
      items.push(...found.items);
      others += found.others;
    }
  }
  const costs = sumCosts(items, others);
  if (input.flag('json')) input.say(jsonText({ ...costs, unread_executions: unread }));
  else {
    for (const line of costLines(costs, view, input.out.width(), input.out.paint)) input.say(line);
    if (unread.length > 0) input.note(`not readable, so not counted: ${unread.join(', ')}`);
  }
  return exitCodes.success;
}

async function itemsOf({ workspace }: Execution): Promise<{ items: CostItem[]; others: number } | null> {
  const state = foldEvents(await readEvents(workspace));
  return state === null ? null : costItems(state, await readStatus(workspace).catch(() => null), Date.now());
}

function viewOf(text: string | undefined): CostView | null {
  if (text === undefined) return null;
  const view = costViews.find(each => each === text);
  if (view !== undefined) return view;
  throw new Fault('invalid', `--by is "${text}"`, `write one of: ${costViews.join(', ')}`);
}
