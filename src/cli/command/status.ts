// `baton status`: how one execution stands, once or until it is over.

import { findExecution } from '../../engine/find-execution.ts';
import { isRunning, readStatus } from '../../engine/read-execution.ts';
import { watchPlace } from '../../files/watch-place.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Status } from '../../protocol/status.ts';
import { followHandoffSteps, type HandoffSteps, readHandoffSteps } from '../../watching/handoff-steps.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { newestExecution } from '../newest-execution.ts';
import { changeLines, type Look, statusLines } from '../status-lines.ts';

const STILL_THERE_MS = 2000; // an engine that dies writes nothing

export async function run(input: CommandInput): Promise<number> {
  const [ref] = input.args;
  const { id, workspace } = ref === undefined ? await newestExecution() : await findExecution(ref);
  if (input.flag('watch')) return watch(input, id, workspace);
  const status = await mustRead(id, workspace);
  if (input.flag('json')) input.say(jsonText(status));
  else {
    const hasEngine = (await isRunning(workspace)) !== null;
    const steps = await readHandoffSteps();
    const size = { width: input.out.width(), height: input.out.height() };
    const frame = { ...size, now: Date.now(), paint: input.out.paint, steps };
    for (const line of statusLines(status, hasEngine, frame)) input.say(line);
  }
  return exitCodes.success;
}

async function mustRead(id: string, workspace: string): Promise<Status> {
  const status = await readStatus(workspace);
  if (status !== null) return status;
  throw new Fault('invalid', `execution ${id} has no status yet`, 'try again in a moment');
}

// Woken by the files themselves; nothing is asked for while nothing changes but whether the engine lives.
async function watch(input: CommandInput, id: string, workspace: string): Promise<number> {
  let before: Look | null = null;
  let steps: HandoffSteps = new Map();
  let wake = () => {};
  const isStatus = (name: string) => name === 'status.json' || name === 'execution_report.json';
  const stops = [
    watchPlace(workspace, isStatus, () => wake()),
    followHandoffSteps(next => {
      steps = next;
      wake();
    }),
  ];
  try {
    for (;;) {
      const woken = new Promise<void>(resolve => {
        wake = resolve;
        setTimeout(resolve, STILL_THERE_MS);
      });
      const hasEngine = (await isRunning(workspace)) !== null; // asked first: the last status comes before the end
      const status = await mustRead(id, workspace);
      const look = { status, steps };
      const changes = changeLines(before, look);
      if (input.flag('json')) {
        if (changes.length > 0) input.say(jsonText(status, 0));
      } else for (const line of changes) input.say(line);
      if (status.status !== 'running') return exitCodes.success;
      if (!hasEngine) throw new Fault('failure', `the engine of execution ${id} is gone`, `baton resume ${id}`);
      before = look;
      await woken;
    }
  } finally {
    for (const stop of stops) stop();
  }
}
