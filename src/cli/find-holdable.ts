// <agent|pane> of `baton hold` and `baton unhold` → the pane, and who holds it.

import { findPane, isPaneId } from '../engine/find-pane.ts';
import { Fault } from '../protocol/fault.ts';
import { openPane, type PaneDoor } from '../tmux/pane-door.ts';
import type { CommandInput } from './command-spec.ts';
import { findSession } from './find-session.ts';

export type Holdable = { door: PaneDoor; who: string; holder: string | null };

export async function findHoldable(input: CommandInput): Promise<Holdable> {
  const ref = input.args[0]!;
  const { identity, who } = isPaneId(ref)
    ? { identity: await findPane(ref), who: ref }
    : await findSession(ref, input.text('execution'));
  const door = openPane(identity);
  const view = await door.look();
  if (view === null) throw new Fault('refused', `the pane of ${who} is gone`, '`baton status` shows the agents');
  return { door, who, holder: view.holder };
}
