// `baton unhold`: gives a held pane back to Baton.

import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { findHoldable } from '../find-holdable.ts';
import { jsonText } from '../json-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const { door, who, holder } = await findHoldable(input);
  if (holder !== null && !(await door.hold(null)))
    throw new Fault('refused', `the pane of ${who} is gone`, '`baton status` shows the agents');
  if (input.flag('json')) input.say(jsonText({ agent: who, pane: door.identity.pane, was_held_by: holder }));
  else if (holder === null) input.say(`${who} was not held`);
  else input.say(`${who} is Baton's again (it was held by ${plainText(holder)})`);
  return exitCodes.success;
}
