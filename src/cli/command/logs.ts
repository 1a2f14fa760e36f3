// `baton logs`: what one attempt of an agent wrote, as far as it got or until it ends.

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, readEvents } from '../../engine/read-execution.ts';
import { resolveInside } from '../../files/guard-path.ts';
import { openRegular } from '../../files/read-file.ts';
import type { Event } from '../../protocol/event.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { attemptPlaces } from '../../run/workspace-places.ts';
import type { CommandInput } from '../command-spec.ts';
import { findAgent } from '../find-agent.ts';
import { makeLogLines } from '../log-lines.ts';
import { wholeNumber } from '../request-source.ts';

const LOOK_EVERY_MS = 250;
const CHUNK_BYTES = 64 * 1024;

type Attempt = { attempt: number; file: string; isOver: boolean; isLast: boolean };

export async function run(input: CommandInput): Promise<number> {
  const { execution, agent } = await findAgent(input.args[0]!, input.text('execution'));
  const { workspace } = execution;
  const which = {
    agent: agent.agent_name,
    attempt: wholeNumber(input, 'attempt'),
    stream: input.flag('stderr') ? 'stderr' : 'stdout',
  } as const;
  const find = async () => findAttempt(await readEvents(workspace), which);
  const first = await find();
  // An agent may have put a link where its log was; it must not show files of other places.
  const { archivedLogs } = attemptPlaces(workspace, which.agent, first.attempt);
  const named = first.isLast ? path.resolve(workspace, first.file) : archivedLogs[which.stream];
  const file = await resolveInside(named, [workspace]);
  const isOver = async () => {
    const { isOver } = findAttempt(await readEvents(workspace), { ...which, attempt: first.attempt });
    return isOver || (await isRunning(workspace)) === null;
  };
  const isEmpty = await print(input, file, input.flag('follow') ? isOver : async () => true);
  if (isEmpty) {
    const who = `${execution.id}/${which.agent}`;
    input.note(`${who} wrote nothing to ${which.stream} in attempt ${first.attempt}`);
  }
  return exitCodes.success;
}

export function findAttempt(
  events: readonly Event[],
  { agent, attempt, stream }: { agent: string; attempt: number | undefined; stream: 'stdout' | 'stderr' },
): Attempt {
  let found: Omit<Attempt, 'isLast'> | null = null;
  let last = 0;
  for (const event of events) {
    if (event.agent !== agent) continue;
    if (event.type === 'attempt_started') last = event.data.attempt;
    const isWanted = 'attempt' in event.data && (attempt === undefined || event.data.attempt === attempt);
    if (!isWanted) continue;
    if (event.type === 'attempt_started')
      found = { attempt: event.data.attempt, file: event.data.logs[stream], isOver: false };
    if (event.type === 'attempt_ended')
      found = { attempt: event.data.attempt, file: event.data.outcome.logs[stream], isOver: true };
  }
  // What an attempt wrote moves away when the next one begins.
  if (found !== null) return { ...found, isLast: found.attempt === last };
  const which = attempt === undefined ? 'has not started yet' : `has no attempt ${attempt}`;
  throw new Fault('invalid', `agent "${agent}" ${which}`, '`baton status` shows how far it is');
}

// Whether the log was empty.
async function print(input: CommandInput, file: string, isOver: () => Promise<boolean>): Promise<boolean> {
  const lines = makeLogLines();
  let isEmpty = true;
  const show = (shown: readonly string[]) => {
    for (const line of shown) input.say(line);
    if (shown.length > 0) isEmpty = false;
  };
  const handle = await openRegular(file).catch(cause => {
    throw new Fault('invalid', `the log ${file} cannot be read: ${cause.message}`, '`baton status` shows the agents', {
      cause,
    });
  });
  try {
    for (;;) {
      const isLast = await isOver(); // asked before reading, so that nothing written before the end is missed
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (;;) {
        const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
        if (bytesRead === 0) break;
        show(lines.add(chunk.subarray(0, bytesRead)));
      }
      if (isLast) break;
      await sleep(LOOK_EVERY_MS);
    }
    show(lines.end());
    return isEmpty;
  } finally {
    await handle.close();
  }
}
