// Everything around a running engine that a person sees: progress, Ctrl-C, the closing lines. Shared by
// run, resume, cancel, retry and demo, which differ only in how the engine is started.

import { exitCodeOf, type RunOptions } from '../engine/run-execution.ts';
import type { Event } from '../protocol/event.ts';
import { exitCodes } from '../protocol/fault.ts';
import type { ExecutionReport } from '../protocol/report.ts';
import type { LogLevel } from '../protocol/request.ts';
import type { Status } from '../protocol/status.ts';
import type { CommandInput } from './command-spec.ts';
import { eventLine } from './event-line.ts';
import { jsonText } from './json-text.ts';
import { startLivePainter } from './live-painter.ts';
import { needMachine } from './need-machine.ts';
import { onInterrupt } from './on-interrupt.ts';
import { openRunNotices } from './run-notices.ts';
import { verdictLines } from './verdict-text.ts';

export type Followed = { report: ExecutionReport; reportFile: string };
export type Watching = Required<Pick<RunOptions, 'signal' | 'onEvent' | 'onStatus'>>;

export async function followRun(
  input: CommandInput,
  start: (watching: Watching) => Promise<Followed>,
): Promise<number> {
  await needMachine();
  const progress = openProgress(input);
  const notices = await openRunNotices(input, message => progress.say(message));
  const stop = new AbortController();
  let executionId: string | null = null;
  const unlisten = onInterrupt(
    () => {
      stop.abort();
      progress.say('cancelling: agents are being ended. Ctrl-C again leaves at once; agents then go on in tmux.');
    },
    () => {
      progress.close();
      input.note(
        `left: agents go on in tmux. To pick them up: baton resume ${executionId ?? '<execution> (see `baton list`)'}`,
      );
      input.leave(exitCodes.cancelled);
    },
  );
  try {
    const { report, reportFile } = await start({
      signal: stop.signal,
      onEvent: event => {
        progress.event(event);
        notices.event(event);
      },
      onStatus: status => {
        executionId = status.execution_id;
        notices.know({ execution: status.execution_id, workspace: status.workspace_root });
        progress.status(status);
      },
    });
    progress.close();
    if (input.flag('json')) input.say(jsonText(report));
    else for (const line of verdictLines(report, reportFile, input.out.paint)) input.say(line);
    return exitCodeOf(report);
  } finally {
    unlisten();
    progress.close();
    await notices.close();
  }
}

type Progress = {
  event: (event: Event) => void;
  status: (status: Status) => void;
  say: (line: string) => void;
  close: () => void;
};

// With --json, stdout belongs to the report; progress goes to stderr.
function openProgress(input: CommandInput): Progress {
  const screen = input.flag('json') ? input.err : input.out;
  const nothing = () => {};
  if (input.flag('quiet')) return { event: nothing, status: nothing, say: input.note, close: nothing };
  if (screen.isTerminal) {
    const painter = startLivePainter(screen);
    let isOpen = true;
    const close = () => {
      if (isOpen) painter.stop();
      isOpen = false;
    };
    return { event: nothing, status: painter.show, say: painter.say, close };
  }
  let level: LogLevel | undefined;
  const tell = (event: Event) => {
    if (event.type === 'execution_started') level = event.data.request.execution_options.log_level;
    const line = eventLine(event, level);
    if (line !== null) screen.stream.write(`${line}\n`);
  };
  return { event: tell, status: nothing, say: input.note, close: nothing };
}
