// `baton explain`: what a request would do, or an execution does: the graph, the waves, and what would be refused.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { findExecution } from '../../engine/find-execution.ts';
import { providerNames } from '../../engine/provider.ts';
import { readEvents, readStatus } from '../../engine/read-execution.ts';
import { buildPlan, type Plan } from '../../pages/plan.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { checkShape } from '../../request/check-shape.ts';
import { loadRequest } from '../../request/load-request.ts';
import { parseJson } from '../../request/parse-json.ts';
import { salvageRequest } from '../../request/salvage-request.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { planLines } from '../plan-lines.ts';
import { allowRoots } from '../request-source.ts';

export async function run(input: CommandInput): Promise<number> {
  const [ref] = input.args as [string];
  const isFile = await stat(path.resolve(ref)).then(
    stats => stats.isFile(),
    () => false,
  );
  if (!isFile && ref.endsWith('.json'))
    throw new Fault('invalid', `there is no file ${path.resolve(ref)}`, '`baton new request` writes one');
  const plan = isFile ? await planOfFile(path.resolve(ref), allowRoots(input)) : await planOfExecution(ref);
  if (input.flag('json')) input.say(jsonText(plan));
  else for (const line of planLines(plan, input.out.width(), input.out.paint)) input.say(line);
  return plan.problems.length === 0 ? exitCodes.success : exitCodes.invalid;
}

async function planOfExecution(ref: string): Promise<Plan> {
  const { id, workspace } = await findExecution(ref);
  const [first] = await readEvents(workspace);
  if (first?.type !== 'execution_started')
    throw new Fault('invalid', `execution ${id} has no beginning`, 'name the request file instead');
  const status = await readStatus(workspace).catch(() => null);
  const statuses = new Map(status?.agents.map(agent => [agent.agent_name, agent.status]));
  return buildPlan(first.data.request, { problems: [], statuses });
}

// The real check decides; what it refuses is still drawn as far as it can be read.
async function planOfFile(file: string, roots: string[]): Promise<Plan> {
  const statuses = new Map();
  try {
    const { request } = await loadRequest({ file }, { allowRoots: roots, providers: providerNames });
    return buildPlan(request, { problems: [], statuses });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid') throw error;
    const parsed = parseJson(await readFile(file, 'utf8').catch(() => ''));
    const whole = parsed.ok ? checkShape(parsed.value).request : null;
    const request = whole ?? (parsed.ok ? salvageRequest(parsed.value) : null);
    if (request === null) throw error;
    return buildPlan(request, { problems: error.problems, statuses, isPartial: whole === null });
  }
}
