// What a process of Baton typed and never sent, because it died or gave up in between, stands in the box like
// somebody's draft. It is known by the note in the pane (PaneView.typed); anything else in a box is a person's.

import { setTimeout as sleep } from 'node:timers/promises';
import { isTyped } from '../screen/box-holds.ts';
import { readScreen } from '../screen/read-screen.ts';
import type { PaneDoor, PaneView } from '../tmux/pane-door.ts';
import { isTypedInto } from './pane-lock.ts';

// An Enter of the one who died may be on its way still.
const STILL_MS = 600;
const HUMAN_MS = 5000;
const EMPTY_MS = 3000;
const LOOK_MS = 50;

// Whoever types has the pane's lock: with nobody there, what was typed last is left over.
export const hasLeftover = async (folder: string, pane: PaneDoor, view: PaneView): Promise<boolean> =>
  isOurs(view) && !(await isTypedInto(folder, pane.identity));

// Only for the one who has the pane's lock. True: the box is empty now.
export async function wipeLeftover(pane: PaneDoor): Promise<boolean> {
  const before = await pane.look();
  if (before === null || !isOurs(before)) return false;
  await sleep(STILL_MS);
  const view = await pane.look();
  if (view === null || !isOurs(view) || view.holder !== null) return false;
  const key = view.watchers === 0 ? null : await pane.lastKeyAt(view.session);
  if (key !== null && Date.now() - key * 1000 < HUMAN_MS) return false;
  if ((await pane.wipe()) === 'nothing') return false;
  const until = performance.now() + EMPTY_MS;
  while (performance.now() < until) {
    const now = await pane.look();
    if (now === null) return false;
    if (readScreen(now.text, now).safe_to_type) return pane.forgetTyped();
    await sleep(LOOK_MS);
  }
  return false;
}

function isOurs(view: PaneView): boolean {
  if (view.typed === null || view.isInMode || view.isDead) return false;
  const { state, draft } = readScreen(view.text, view);
  return (state === 'idle' || state === 'slash_menu') && isTyped(draft, view.typed, view.keyAt);
}
