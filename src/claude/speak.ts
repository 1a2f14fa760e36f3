// A person's prompt to a Claude Code session that an engine tends: waits for a free moment without keeping the
// pane from anybody (a dialog may have to be answered meanwhile), then takes the pane and delivers.

import type { PaneDoor } from '../tmux/pane-door.ts';
import { boxText, type Delivery, deliver, type Refusal, unfitness, untilReady } from './deliver.ts';
import { inQueue, withPane } from './pane-lock.ts';
import { runSlash } from './run-slash.ts';
import type { SessionEar } from './session-ear.ts';
import { hasLeftover, wipeLeftover } from './wipe-leftover.ts';

export type SpeakOptions = { folder: string; what: string; waitMs: number; onPurpose: boolean };

const LOCK_MS = 10_000;
// Waiting does not help against these.
const FINAL: readonly string[] = ['held', 'gone', 'exited'];

export async function speak(pane: PaneDoor, ear: SessionEar, given: string, o: SpeakOptions): Promise<Delivery> {
  const text = boxText(given);
  const unfit = unfitness(text, o.onPurpose);
  if (unfit !== null) return unfit;
  return inQueue(o.folder, pane.identity, o.what, async () => {
    const until = performance.now() + o.waitMs;
    for (;;) {
      const left = Math.max(0, until - performance.now());
      const said = (await notYet(pane, ear, left, o.folder)) ?? (await take(pane, ear, text, o));
      const mayTryAgain = said.outcome === 'refused' && !FINAL.includes(said.state) && performance.now() < until;
      if (!mayTryAgain) return said;
    }
  });
}

async function notYet(pane: PaneDoor, ear: SessionEar, waitMs: number, folder: string): Promise<Refusal | null> {
  const view = await pane.look();
  if (view !== null && view.holder !== null)
    return { outcome: 'refused', state: 'held', why: `${view.holder} holds it`, screen: view.text };
  if (view !== null && (await hasLeftover(folder, pane, view))) return null;
  const ready = await untilReady(pane, ear, { waitMs });
  if ('outcome' in ready) return ready;
  // Its box is drawn before it reads the keyboard.
  if (ear.state().sessionId === null)
    return { outcome: 'refused', state: 'starting', why: 'it has not told yet that it started', screen: ready.text };
  return null;
}

const take = (pane: PaneDoor, ear: SessionEar, text: string, o: SpeakOptions): Promise<Delivery> =>
  withPane(o.folder, pane.identity, { what: o.what, waitMs: LOCK_MS }, async () => {
    await wipeLeftover(pane);
    return isOwnProof(text) && o.onPurpose
      ? command(pane, ear, text)
      : deliver(pane, ear, text, { waitMs: 0, onPurpose: o.onPurpose });
  });

type Proven = '/clear' | '/exit';
export const isOwnProof = (text: string): text is Proven => text === '/clear' || text === '/exit';

// These come back as an end or a change of the session, never as a prompt.
async function command(pane: PaneDoor, ear: SessionEar, text: Proven): Promise<Delivery> {
  const from = performance.now();
  const before = ear.state().sessionId;
  const isProven = () => (text === '/exit' ? ear.state().endedBy !== null : ear.state().sessionId !== before);
  const ran = await runSlash(pane, text, { isProven, signal: new AbortController().signal });
  if (ran.outcome === 'refused') return { outcome: 'refused', state: 'changed', why: ran.why, screen: ran.screen };
  if (ran.outcome === 'failed') return { outcome: 'failed', kind: 'not_submitted', why: ran.why, screen: ran.screen };
  const took_ms = Math.round(performance.now() - from);
  return { outcome: 'submitted', session_id: ear.state().sessionId, proof: 'receipt', enters: 1, took_ms };
}
