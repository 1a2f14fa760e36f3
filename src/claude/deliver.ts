// Says a text to a Claude Code pane, with a receipt. Ends in exactly one of: submitted (the hook or the
// transcript carried this very text back, and the turn began), refused (nothing was sent), failed (what was
// seen). Never twice, never into anything but an empty, proven input box.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ScreenReading } from '../protocol/screen.ts';
import { boxHolds } from '../screen/box-holds.ts';
import { readScreen } from '../screen/read-screen.ts';
import type { PaneDoor, PaneView } from '../tmux/pane-door.ts';

export type Delivery =
  | { outcome: 'submitted'; session_id: string | null; proof: 'receipt' | 'transcript'; enters: 1 | 2; took_ms: number }
  | Refusal
  | { outcome: 'failed'; why: string; kind: 'context_limit' | 'not_submitted' | 'not_begun' | 'gone'; screen: string };

// Nothing was sent.
export type Refusal = { outcome: 'refused'; state: string; why: string; screen: string };

// What comes back from the session after a moment in time.
export type Echo = { sessionId: string | null; proof: 'receipt' | 'transcript' };
export interface Ear {
  mark(): Promise<void>; // only what comes after this counts
  heard(text: string): Promise<Echo | null>;
  hasBegun(): boolean; // a tool, an answer or an end came after the prompt
  isTurnOpen(): boolean;
}

export type DeliverOptions = { waitMs: number; onPurpose?: boolean; signal?: AbortSignal };

const LOOK_MS = 40;
const STILL_MS = 500;
const SHOWN_MS = 4000;
const RECEIPT_MS = 1500;
const LAST_RECEIPT_MS = 6000;
const BEGUN_MS = 10_000;

export async function deliver(pane: PaneDoor, ear: Ear, given: string, o: DeliverOptions): Promise<Delivery> {
  const text = boxText(given);
  const unfit = unfitness(text, o.onPurpose ?? false);
  if (unfit !== null) return unfit;
  const ready = await untilReady(pane, ear, o);
  if ('outcome' in ready) return ready;
  const from = performance.now();
  await ear.mark();
  if ((await pane.paste(text)) === 'nothing')
    return refusedBy(await see(pane), 'the pane changed before the first key');
  const shown = await waitFor(SHOWN_MS, async () => {
    const now = await see(pane);
    return now === null || isDialog(now.reading) || boxHolds(now.reading.draft, text) ? { now } : null;
  });
  const seen = shown?.now ?? (await see(pane));
  if (seen === null) return failed('gone', 'the pane is gone', '');
  // Whatever else it shows now, an Enter would go to that.
  if (!boxHolds(seen.reading.draft, text))
    return failed('not_submitted', `the text is not in the box; the screen reads "${seen.reading.state}"`, seen.text);
  return submit(pane, ear, text, from);
}

// Claude Code's box turns a tab into four spaces; said so from the start, the receipt carries the same text.
export const boxText = (given: string): string => given.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').trim();

async function submit(pane: PaneDoor, ear: Ear, text: string, from: number): Promise<Delivery> {
  for (const enters of [1, 2] as const) {
    const sent = await pane.press('Enter');
    if (sent === 'nothing')
      return failed('not_submitted', 'the pane went into a mode before Enter', (await see(pane))?.text ?? '');
    const echo = await waitFor(enters === 1 ? RECEIPT_MS : LAST_RECEIPT_MS, () => ear.heard(text));
    if (echo !== null) return begun(pane, ear, { echo, enters, from });
    const now = await see(pane);
    if (now === null) return failed('gone', 'the pane is gone', '');
    // One more Enter only when the box provably still holds the text, and no Enter is on its way.
    if (sent === 'unsure') return failed('not_submitted', 'tmux did not say whether Enter was pressed', now.text);
    if (!boxHolds(now.reading.draft, text)) {
      const late = await waitFor(LAST_RECEIPT_MS, () => ear.heard(text));
      if (late !== null) return begun(pane, ear, { echo: late, enters, from });
      await pane.forgetTyped();
      return failed('not_submitted', 'the box is empty, but nothing came back from the session', now.text);
    }
  }
  return failed('not_submitted', 'after two Enters the text is still in the box', (await see(pane))?.text ?? '');
}

// The hook also fires for prompts that the CLI then refuses by itself: only a begun turn counts.
async function begun(pane: PaneDoor, ear: Ear, o: { echo: Echo; enters: 1 | 2; from: number }): Promise<Delivery> {
  await pane.forgetTyped();
  const end = await waitFor(BEGUN_MS, async () => {
    if (ear.hasBegun()) return { context: false };
    const now = await see(pane);
    if (now?.reading.error?.kind === 'context_limit') return { context: true };
    const state = now?.reading.state;
    return state === 'busy' || state === 'retrying' || state === 'compacting' ? { context: false } : null;
  });
  const screen = (await see(pane))?.text ?? '';
  if (end === null) return failed('not_begun', 'the prompt was taken, but no turn began', screen);
  if (end.context) return failed('context_limit', 'the context is full: Claude Code refused the prompt', screen);
  const took_ms = Math.round(performance.now() - o.from);
  return { outcome: 'submitted', session_id: o.echo.sessionId, proof: o.echo.proof, enters: o.enters, took_ms };
}

type Sight = { text: string; reading: ScreenReading };

async function see(pane: PaneDoor): Promise<Sight | null> {
  const view = await pane.look();
  if (view === null) return null;
  return { text: view.text, reading: readScreen(view.text, { width: view.width, height: view.height }) };
}

// Sends nothing: an empty box that waits for a prompt, or why there is none.
export async function untilReady(pane: PaneDoor, ear: Ear, o: DeliverOptions): Promise<Sight | Refusal> {
  const until = performance.now() + Math.max(o.waitMs, 3 * STILL_MS);
  let still = { text: '', since: 0 };
  for (;;) {
    const view = await pane.look();
    if (view === null || view.isDead) return { outcome: 'refused', state: 'gone', why: 'the pane is gone', screen: '' };
    const reading = readScreen(view.text, { width: view.width, height: view.height });
    if (view.text !== still.text) still = { text: view.text, since: performance.now() };
    // Esc ends a turn without a word: an idle screen that stands still says so too.
    const isOpen = ear.isTurnOpen() && performance.now() - still.since < STILL_MS;
    const why =
      view.holder !== null
        ? `${view.holder} holds it`
        : view.isInMode
          ? 'it is in copy mode'
          : unready(reading, isOpen);
    if (why === null) return { text: view.text, reading };
    if (performance.now() >= until || o.signal?.aborted)
      return { outcome: 'refused', state: stateOf(view, reading), why, screen: view.text };
    await sleep(LOOK_MS * 5);
  }
}

// Both are states of the pane, not of the screen in it.
const stateOf = (view: PaneView, reading: ScreenReading): string =>
  view.holder !== null ? 'held' : view.isInMode ? 'copy_mode' : reading.draft !== null ? 'draft' : reading.state;

function unready(reading: ScreenReading, isTurnOpen: boolean): string | null {
  if (reading.draft !== null) return 'somebody has a draft in the box';
  if (!reading.safe_to_type) return `the screen reads "${reading.state}"`;
  return isTurnOpen ? 'a turn is still open' : null;
}

const isDialog = (reading: ScreenReading): boolean =>
  !['idle', 'busy', 'unknown', 'slash_menu'].includes(reading.state);

// A text that no pane may get, whatever it shows.
export function unfitness(text: string, onPurpose: boolean): Refusal | null {
  const refused = (why: string): Refusal => ({ outcome: 'refused', state: 'text', why, screen: '' });
  if (text === '') return refused('it is empty');
  // An escape could end the paste early, and what follows would be keys.
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.exec(text);
  if (control !== null)
    return refused(`it holds a control character (U+${control[0].charCodeAt(0).toString(16).padStart(4, '0')})`);
  if (!onPurpose && /^[/!#]/.test(text))
    return refused(`it begins with "${text[0]}", which Claude Code takes for a command`);
  return null;
}

const failed = (kind: (Delivery & { outcome: 'failed' })['kind'], why: string, screen: string): Delivery => ({
  outcome: 'failed',
  kind,
  why,
  screen,
});

const refusedBy = (now: Sight | null, why: string): Delivery => ({
  outcome: 'refused',
  state: now?.reading.state ?? 'gone',
  why,
  screen: now?.text ?? '',
});

async function waitFor<T>(ms: number, look: () => Promise<T | null>): Promise<T | null> {
  const until = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() >= until) return null;
    await sleep(LOOK_MS);
  }
}
