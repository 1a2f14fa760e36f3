// Runs a slash command in a Claude Code pane: typed only into a proven empty box, and done only when the
// session itself shows it (a hook, a new session id), never because keys were sent.

import { setTimeout as sleep } from 'node:timers/promises';
import { readScreen } from '../screen/read-screen.ts';
import type { PaneDoor } from '../tmux/pane-door.ts';

export type SlashResult = { outcome: 'done' } | { outcome: 'refused' | 'failed'; why: string; screen: string };

const SHOWN_MS = 4000;
const PROVEN_MS = 15_000;
const LOOK_MS = 40;

type Command = '/exit' | '/clear';

export async function runSlash(
  pane: PaneDoor,
  command: Command,
  o: { isProven: () => boolean; signal: AbortSignal },
): Promise<SlashResult> {
  const typed = await typeSlash(pane, command);
  if (typed.outcome !== 'done') return typed;
  if ((await pane.press('Enter')) === 'nothing')
    return { outcome: 'failed', why: 'the pane went into a mode before Enter', screen: (await see(pane))?.text ?? '' };
  const proven = await until(PROVEN_MS, async () => (o.isProven() || o.signal.aborted ? true : null));
  if (proven === null || !o.isProven())
    return { outcome: 'failed', why: `nothing showed that "${command}" ran`, screen: (await see(pane))?.text ?? '' };
  await pane.forgetTyped();
  return { outcome: 'done' };
}

// Without Enter. Done: it stands in the box, and nothing else does.
export async function typeSlash(pane: PaneDoor, command: Command): Promise<SlashResult> {
  const before = await see(pane);
  if (before === null) return { outcome: 'refused', why: 'the pane is gone', screen: '' };
  if (before.holder !== null) return { outcome: 'refused', why: `${before.holder} holds it`, screen: before.text };
  if (!before.reading.safe_to_type || before.isInMode)
    return { outcome: 'refused', why: `the screen reads "${before.reading.state}"`, screen: before.text };
  if ((await pane.type(command)) === 'nothing')
    return { outcome: 'refused', why: 'the pane changed before the first key', screen: '' };
  const shown = await until(SHOWN_MS, async () => {
    const now = await see(pane);
    return now?.reading.draft?.trim() === command ? now : null;
  });
  if (shown !== null) return { outcome: 'done' };
  return { outcome: 'failed', why: `"${command}" is not in the box`, screen: (await see(pane))?.text ?? '' };
}

async function see(pane: PaneDoor) {
  const view = await pane.look();
  if (view === null) return null;
  const { text, isInMode, holder } = view;
  return { text, isInMode, holder, reading: readScreen(text, view) };
}

async function until<T>(ms: number, look: () => Promise<T | null>): Promise<T | null> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() >= end) return null;
    await sleep(LOOK_MS);
  }
}
