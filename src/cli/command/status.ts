// `baton status`: how one execution stands, once or until it is over.

import { setTimeout as sleep } from 'node:timers/promises';
import { findExecution } from '../../engine/find-execution.ts';
import { isRunning, readStatus } from '../../engine/read-execution.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Status } from '../../protocol/status.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { newestExecution } from '../newest-execution.ts';
import { changeLines, statusLines } from '../status-lines.ts';

const LOOK_EVERY_MS = 250;

export async function run(input: CommandInput): Promise<number> {
  const [ref] = input.args;
  const { id, workspace } = ref === undefined ? await newestExecution() : await findExecution(ref);
  if (input.flag('watch')) return watch(input, id, workspace);
  const status = await mustRead(id, workspace);
  if (input.flag('json')) input.say(jsonText(status));
  else {
    const hasEngine = (await isRunning(workspace)) !== null;
    const frame = { width: input.out.width(), height: input.out.height(), now: Date.now(), paint: input.out.paint };
    for (const line of statusLines(status, hasEngine, frame)) input.say(line);
  }
  return exitCodes.success;
}

async function mustRead(id: string, workspace: string): Promise<Status> {
  const status = await readStatus(workspace);
  if (status !== null) return status;
  throw new Fault('invalid', `execution ${id} has no status yet`, 'try again in a moment');
}

async function watch(input: CommandInput, id: string, workspace: string): Promise<number> {
  let before: Status | null = null;
  for (;;) {
    const hasEngine = (await isRunning(workspace)) !== null; // asked first: the last status comes before the end
    const status = await mustRead(id, workspace);
    const changes = changeLines(before, status);
    if (input.flag('json')) {
      if (changes.length > 0) input.say(jsonText(status, 0));
    } else for (const line of changes) input.say(line);
    if (status.status !== 'running') return exitCodes.success;
    if (!hasEngine) throw new Fault('failure', `the engine of execution ${id} is gone`, `baton resume ${id}`);
    before = status;
    await sleep(LOOK_EVERY_MS);
  }
}
