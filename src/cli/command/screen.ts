// `baton screen`: what Baton reads on the screen of a Claude Code pane, or in a capture of one.

import { readRegular } from '../../files/read-file.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import { readScreen } from '../../screen/read-screen.ts';
import { capturePane } from '../../tmux/capture-pane.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { screenLines } from '../screen-lines.ts';

const MAX_BYTES = 4 * 1024 * 1024;

export async function run(input: CommandInput): Promise<number> {
  const reading = await readAsked(input);
  if (input.flag('json')) input.say(jsonText(reading));
  else for (const line of screenLines(reading)) input.say(line);
  return exitCodes.success;
}

async function readAsked(input: CommandInput): Promise<ScreenReading> {
  const [pane] = input.args;
  const file = input.text('file');
  if ((pane === undefined) === (file === undefined)) {
    throw new Fault(
      'invalid',
      'one pane, or one --file, is wanted',
      'baton screen %3, or baton screen --file capture.txt',
    );
  }
  if (file !== undefined) return readScreen(await readCapture(file));
  const { text, width, height, isInMode, isDead } = await capturePane(input.text('socket') ?? tmuxSocket(), pane!);
  const reading = readScreen(text, { width, height });
  if (isDead) return { ...reading, state: 'exited', safe_to_type: false };
  // The screen below a copy mode looks as ever, but keys would not arrive there.
  return isInMode ? { ...reading, safe_to_type: false } : reading;
}

async function readCapture(file: string): Promise<string> {
  try {
    return (await readRegular(file, { follow: true, max: MAX_BYTES })).toString('utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault(
      'invalid',
      `${file} could not be read: ${why}`,
      'make one: tmux capture-pane -p -e -t PANE > FILE',
      {
        cause,
      },
    );
  }
}
