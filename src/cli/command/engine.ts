// `baton engine`: runs every request that appears in a folder, until it is told to end.

import path from 'node:path';
import { watchRequests } from '../../engine/watch-requests.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { eventLine } from '../event-line.ts';
import { onInterrupt } from '../on-interrupt.ts';
import { allowRoots, wholeNumber } from '../request-source.ts';

const DEFAULT_PANES = 16; // more real coding agents at once is more than most machines carry

export async function run(input: CommandInput): Promise<number> {
  const stop = new AbortController();
  const unlisten = onInterrupt(
    () => {
      stop.abort();
      input.note('ending. Ctrl-C again leaves at once; agents then go on in tmux.');
    },
    () => input.leave(exitCodes.cancelled),
  );
  try {
    await watchRequests(path.resolve(input.text('watch') ?? 'workspaces'), {
      maxPanes: wholeNumber(input, 'max-panes') ?? DEFAULT_PANES,
      allowRoots: allowRoots(input),
      signal: stop.signal,
      onEvent: (workspace, event) => {
        const line = eventLine(event);
        if (line !== null) input.say(`[${path.basename(workspace)}] ${line}`);
      },
      say: input.say,
    });
    return exitCodes.success;
  } finally {
    unlisten();
  }
}
