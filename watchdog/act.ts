// Does one deed of a handoff and says how it went: done, provably nothing, or unsure. Whether the deed had its
// effect is never concluded from here; the next look shows it.

import path from 'node:path';
import { deliver } from '../src/claude/deliver.ts';
import { leaseFor, readLease } from '../src/claude/pane-lease.ts';
import { PaneBusy, withPane } from '../src/claude/pane-lock.ts';
import { typeSlash } from '../src/claude/run-slash.ts';
import { wipeLeftover } from '../src/claude/wipe-leftover.ts';
import { writeFileAtomic, writeJson } from '../src/files/write-file.ts';
import { commitHandoff } from '../src/git/commit-handoff.ts';
import { withSides } from '../src/git/keep-both-sides.ts';
import type { Effect, HandoffState, Outcome } from '../src/handoff/handoff-types.ts';
import { mayInterrupt } from '../src/handoff/turns.ts';
import { readTemplate } from '../src/project/document-file.ts';
import { moveToArchive } from '../src/project/move-to-archive.ts';
import { readScreen } from '../src/screen/read-screen.ts';
import type { Sent } from '../src/tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../src/tmux/runtime.ts';
import { writeFallback } from './fallback.ts';
import { holdsOurs, look, type Senses } from './look.ts';
import { layOrder, withdrawOrder } from './orders.ts';
import { releasePane } from './release-pane.ts';
import type { WorkerView } from './workers.ts';

export type Hands = Senses & {
  places: { records: string; alerts: string };
  task: string;
  index: () => Promise<string | null>; // brought up to date; the file that goes into the commit too
  workers(): WorkerView; // of an orchestrator
  say(line: string): void;
  alert(key: string, text: string): Promise<void>;
  signal: AbortSignal;
};

const LOCK_MS = 20_000;
const done: Outcome = { did: 'done' };
const nothing = (why: string): Outcome => ({ did: 'nothing', why });
const unsure = (why: string): Outcome => ({ did: 'unsure', why });

export async function act(hands: Hands, effect: Effect, state: HandoffState): Promise<Outcome> {
  try {
    return await perform(hands, effect, state);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    hands.say(`${effect.do}: ${why}`);
    return unsure(why);
  }
}

async function perform(hands: Hands, effect: Effect, state: HandoffState): Promise<Outcome> {
  const { pane, rules } = hands;
  switch (effect.do) {
    case 'hold':
      return hold(hands, state);
    case 'order':
      if (pane.channel === null) return nothing('this pane takes no orders through hooks');
      await layOrder(pane.channel.order, { ...effect, sessionId: state.handoff.sessionId });
      return done;
    case 'say':
      return locked(hands, () => say(hands, effect, state));
    case 'submit':
      return locked(hands, () => submit(hands, effect, state));
    case 'wipe':
      return locked(hands, () => wipe(hands, state));
    case 'interrupt':
      return locked(hands, () => interrupt(hands, effect, state));
    case 'archive':
      return archive(hands, effect);
    case 'write_fallback':
      return writeFallback(hands, effect, state);
    case 'commit': {
      const { id: handoffId, message } = effect;
      const index = await hands.index().catch(() => null); // the document is what counts
      const files = index === null ? effect.files : [...effect.files, index];
      await commitHandoff({
        folder: pane.folder,
        files,
        removed: [],
        message,
        handoffId,
        ownRepository: hands.ownRepository,
      });
      return done;
    }
    case 'clear':
      return locked(hands, () => clear(hands, effect, state));
    case 'alert':
      await hands.alert(effect.key, effect.text);
      return done;
    case 'record':
      await writeJson(path.join(hands.places.records, `${effect.record.id}.json`), effect.record);
      return done;
    case 'release':
      return releasePane(hands, state.handoff.id);
    default: {
      const missed: never = effect;
      return nothing(`unknown deed ${JSON.stringify(missed)} for ${rules.documentPath}`);
    }
  }
}

// Only a lock that was never got proves that nothing was sent; what fails inside of it may have sent its keys.
const locked = (hands: Hands, work: () => Promise<Outcome>): Promise<Outcome> =>
  withPane(
    ensureRuntimeFolder(),
    hands.door.identity,
    { what: `the watchdog (${hands.pane.name})`, waitMs: LOCK_MS },
    work,
  ).catch(error => {
    if (error instanceof PaneBusy) return nothing(error.message);
    throw error;
  });

// Compaction is held off from here on; the lease keeps the engine quiet.
async function hold({ door, pane }: Hands, state: HandoffState): Promise<Outcome> {
  const view = await door.look();
  if (view === null || readLease(view.lease, state.handoff.id) === 'other') return nothing('the lease is not free');
  if (pane.channel !== null)
    await writeFileAtomic(pane.channel.blockCompact, `${process.pid} ${state.handoff.id}\n`, { mode: 0o600 });
  return (await door.setLease(leaseFor(state.handoff.id))) ? done : nothing('tmux did not take the lease');
}

async function say(hands: Hands, effect: Extract<Effect, { do: 'say' }>, state: HandoffState): Promise<Outcome> {
  const seen = await look(hands, state);
  if (seen === null || seen.said !== 'no') return nothing('it has this prompt already');
  if (seen.sessionId !== effect.sessionId || seen.lease !== 'ours') return nothing('another session or lease is there');
  // The same words may wait for a hook: they go one way only.
  const order = hands.pane.channel?.order;
  if (order !== undefined && (await withdrawOrder(order, effect.mark)) === 'taken')
    return nothing('a hook has handed this prompt over');
  const delivery = await deliver(hands.door, hands.ear, effect.text, { waitMs: 0, signal: hands.signal });
  if (delivery.outcome === 'submitted') return done;
  if (delivery.outcome === 'refused') return nothing(delivery.why);
  return delivery.kind === 'context_limit' ? { did: 'full', why: delivery.why } : unsure(delivery.why);
}

// Enter alone, into a box that provably holds what we have in flight.
async function submit(hands: Hands, effect: Extract<Effect, { do: 'submit' }>, state: HandoffState): Promise<Outcome> {
  const seen = await look(hands, state);
  if (seen === null || seen.lease !== 'ours' || seen.sessionId !== effect.sessionId)
    return nothing('another session or lease is there');
  // This Enter may complete a /clear.
  if (effect.commit !== null && seen.commit?.sha !== effect.commit) return nothing('the commit is not proven now');
  const view = await hands.door.look();
  if (view === null || view.isInMode || !holdsOurs(state, view, readScreen(view.text, view)))
    return nothing('the box does not hold our text');
  return pressed(await hands.door.press('Enter'), 'Enter');
}

const pressed = (sent: Sent, key: string): Outcome =>
  sent === 'nothing'
    ? nothing('the pane changed before the key')
    : unsure(sent === 'sent' ? `${key} was pressed` : `tmux did not say whether ${key} was pressed`);

async function wipe({ door, say, pane }: Hands, { handoff }: HandoffState): Promise<Outcome> {
  if (readLease((await door.look())?.lease ?? null, handoff.id) !== 'ours') return nothing('the lease is not ours');
  if (!(await wipeLeftover(door))) return nothing('it is not left over any more, or a person is there');
  say(`${pane.name}: took out of its box what a process of Baton had typed and not sent`);
  return done;
}

// Esc into a dialog answers it, into copy mode it ends a person's reading, into another session another's turn.
async function interrupt(
  hands: Hands,
  effect: Extract<Effect, { do: 'interrupt' }>,
  state: HandoffState,
): Promise<Outcome> {
  const seen = await look(hands, state);
  if (seen === null || seen.lease !== 'ours' || seen.sessionId !== effect.sessionId)
    return nothing('another session or lease is there');
  if (!mayInterrupt(seen) || !seen.blockers.includes('busy')) return nothing('no open turn is there');
  return pressed(await hands.door.press('Escape'), 'Esc');
}

async function archive({ rules }: Hands, { archive: to }: Extract<Effect, { do: 'archive' }>): Promise<Outcome> {
  const { root, documentPath: document, archiveDir: folder } = rules;
  const isKept = await moveToArchive({
    ...{ root, document, folder, name: to.to, hash: to.hash, of: to.of ?? to.hash },
    keep: bytes => (to.of === undefined ? bytes : (withSides(bytes) ?? bytes)),
    leave: await readTemplate(rules.templatePath),
  });
  return isKept ? done : nothing('the document changed while it was archived');
}

// Everything is proven once more inside the lock: the commit, the lease, the session, the quiet.
async function clear(hands: Hands, effect: Extract<Effect, { do: 'clear' }>, state: HandoffState): Promise<Outcome> {
  const seen = await look(hands, state);
  if (seen === null || seen.commit === null || seen.commit.sha !== effect.commit)
    return nothing('the commit is not proven now');
  if (seen.lease !== 'ours' || seen.sessionId !== effect.sessionId) return nothing('another session or lease is there');
  if (seen.blockers.some(blocker => blocker !== 'background') || seen.box !== 'empty')
    return nothing('it is not quiet any more');
  // Enter comes with a deed of its own, so that the journal tells for ever whether it may have been pressed.
  const result = await typeSlash(hands.door, '/clear');
  if (result.outcome === 'done') return done;
  return result.outcome === 'refused' ? nothing(result.why) : unsure(result.why);
}
