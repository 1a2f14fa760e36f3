// `baton engine`: runs every request that appears in a folder, until it is told to end.

import path from 'node:path';
import { watchRequests } from '../../engine/watch-requests.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { eventLine } from '../event-line.ts';
import { needMachine } from '../need-machine.ts';
import { onInterrupt } from '../on-interrupt.ts';
import { allowRoots, trusted, wholeNumber } from '../request-source.ts';
import { openRunNotices } from '../run-notices.ts';

const DEFAULT_PANES = 16; // more real coding agents at once is more than most machines carry

export async function run(input: CommandInput): Promise<number> {
  await needMachine();
  const folder = path.resolve(input.text('watch') ?? 'workspaces');
  const maxPanes = wholeNumber(input, 'max-panes') ?? DEFAULT_PANES;
  const stop = new AbortController();
  const unlisten = onInterrupt(
    () => {
      stop.abort();
      input.note('ending: agents are being ended. Ctrl-C again leaves at once; agents then go on in tmux.');
    },
    () => input.leave(exitCodes.cancelled),
  );
  const notices = await openRunNotices(input, input.note);
  try {
    input.say(`watching ${plainText(folder)}; Ctrl-C ends`);
    await watchRequests(folder, {
      maxPanes,
      allowRoots: allowRoots(input),
      trusted: trusted(input),
      signal: stop.signal,
      onEvent: (workspace, event) => {
        notices.event(event, workspace);
        const line = eventLine(event);
        if (line !== null) input.say(`[${path.basename(workspace)}] ${line}`);
      },
      say: input.say,
    });
    return exitCodes.success;
  } finally {
    unlisten();
    await notices.close();
  }
}
