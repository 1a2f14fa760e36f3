// `baton hold`: a person takes control of a pane. When this ends, nothing of Baton's is under way there.

import { userInfo } from 'node:os';
import { withPane } from '../../claude/pane-lock.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { ensureRuntimeFolder } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { findHoldable } from '../find-holdable.ts';
import { jsonText } from '../json-text.ts';

// A delivery under way takes no longer than this.
const LOCK_MS = 30_000;

export async function run(input: CommandInput): Promise<number> {
  const { door, who, holder } = await findHoldable(input);
  const me = userInfo().username;
  if (holder !== null && holder !== me)
    throw new Fault('refused', `${who} is held by ${plainText(holder)} already`, `\`baton unhold ${who}\` first`);
  if (!(await door.hold(me)))
    throw new Fault('refused', `the pane of ${who} is gone`, '`baton status` shows the agents');
  // Told first, so that nothing new begins; then whatever was half-way in is let finish.
  await withPane(ensureRuntimeFolder(), door.identity, { what: '`baton hold`', waitMs: LOCK_MS }, async () => {});
  if (input.flag('json')) input.say(jsonText({ agent: who, pane: door.identity.pane, held_by: me }));
  else {
    input.say(`${who} is held by ${me}: Baton sends nothing there; its time limits go on`);
    input.say(`  to give it back: baton unhold ${who}`);
  }
  return exitCodes.success;
}
