// Everything a handoff wants to know of its pane, its document and git, seen now. Facts only; what follows from
// them is decided in src/handoff.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { boxText } from '../src/claude/deliver.ts';
import { readLease } from '../src/claude/pane-lease.ts';
import type { SessionEar, Turn } from '../src/claude/session-ear.ts';
import { hasLeftover } from '../src/claude/wipe-leftover.ts';
import { apiTrouble } from '../src/conversation/api-trouble.ts';
import type { Heard } from '../src/conversation/heard.ts';
import { STILL_MS } from '../src/conversation/next-move.ts';
import { isDialog } from '../src/conversation/obstacles.ts';
import { findHandoffCommit } from '../src/git/find-handoff-commit.ts';
import { markLine } from '../src/handoff/handoff-prompts.ts';
import type { Blocker, HandoffState, Rules, Seen, SeenDocument } from '../src/handoff/handoff-types.ts';
import { filesOf } from '../src/handoff/turns.ts';
import { readDocumentFile } from '../src/project/document-file.ts';
import type { CommitProof } from '../src/protocol/handoff.ts';
import type { ScreenReading } from '../src/protocol/screen.ts';
import { boxHolds, isTyped } from '../src/screen/box-holds.ts';
import { hasBackground } from '../src/screen/find-background.ts';
import { readScreen } from '../src/screen/read-screen.ts';
import type { PaneDoor, PaneView } from '../src/tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../src/tmux/runtime.ts';
import type { Seldom } from './ask-seldom.ts';
import { lookAtContract } from './look-at-contract.ts';
import { lookAtDocument } from './look-at-document.ts';
import { orderName } from './orders.ts';
import { isPaneGone } from './probe-pane.ts';
import { tokensNow } from './readings.ts';
import type { WatchedPane } from './watched-pane.ts';

export type Senses = {
  pane: WatchedPane;
  door: PaneDoor;
  ear: SessionEar;
  rules: Rules;
  ownRepository: string;
  still: { text: string; since: number };
  asked?: Asked; // without it git is asked at every look
};

// What git said of the document, and of its commit.
export type Asked = { saved: Seldom<boolean>; proof: Seldom<CommitProof | null> };

const HUMAN_MS = 5000;
const WORK = ['busy', 'retrying', 'compacting'];
// Asking git is the dear part of a look; only these steps are ended by its answer.
const NEED_COMMIT: readonly HandoffState['name'][] = [
  'fallback',
  'writing',
  'committing',
  'awaiting_commit',
  'committed',
  'clearing',
];
// Before a deed the commit is proven anew, in `clearing`; what merely waits asks now and then.
const PROOF_AGE_MS: Partial<Record<HandoffState['name'], number>> = {
  writing: 2000,
  awaiting_commit: 4000,
  committed: 2000,
};

export async function look(senses: Senses, state: HandoffState): Promise<Seen | null> {
  const { pane, door, ear, rules } = senses;
  const at = Date.now();
  const view = await door.look().catch(() => null);
  const reading = view === null ? null : readScreen(view.text, view);
  const box = await boxOf(senses, state, view, reading);
  const heard = ear.state();
  const { handoff } = state;
  const document = await lookAtDocument(rules, handoff.id, pane.folder, senses.asked?.saved);
  const trouble = apiTrouble(heard, reading);
  return {
    at,
    pane: hasLeft(heard, reading) ? 'gone' : await presence(pane, view),
    lease: readLease(view?.lease ?? null, handoff.id),
    sessionId: heard.sessionId,
    isCleared: pane.channel === null || heard.source === 'clear',
    tokens: await tokensNow(senses, at),
    blockers: view === null || reading === null ? ['unknown'] : await blockersOf(senses, view, reading, box),
    box,
    isFull: reading?.error?.kind === 'context_limit',
    contract: await lookAtContract(pane.contract),
    canOrder: pane.channel !== null,
    said: saidOf(senses, state, reading),
    trouble:
      trouble === null || trouble.kind === 'context_limit' ? null : { why: trouble.message, until: trouble.resetsAt },
    otherPrompts: othersOf(ear.turns(), state).length,
    compactions: heard.compactions,
    document,
    archiveNames: await readdir(rules.archiveDir).catch(() => []),
    archiveHash:
      state.name === 'archiving' ? (await readDocumentFile(path.join(rules.archiveDir, state.archive.to))).hash : null,
    commit: NEED_COMMIT.includes(state.name) && document?.hasId ? await proof(senses, state, document) : null,
  };
}

function proof(senses: Senses, { name, handoff }: HandoffState, { hash }: SeenDocument): Promise<CommitProof | null> {
  const { pane, rules, ownRepository, asked } = senses;
  const files = filesOf(handoff, rules);
  const search = { folder: pane.folder, handoffId: handoff.id, files, ownRepository };
  const ask = () => findHandoffCommit(search).catch(() => null); // not proven is not committed
  return asked?.proof([hash, ...files].join('\n'), PROOF_AGE_MS[name] ?? 0, ask) ?? ask();
}

// It ended and left a shell behind, which is nobody to hand anything to.
const hasLeft = ({ endedBy }: Heard, reading: ScreenReading | null): boolean =>
  endedBy !== null && (reading?.state === 'shell' || reading?.state === 'exited');

async function presence(pane: WatchedPane, view: PaneView | null): Promise<Seen['pane']> {
  if (view !== null) return view.isDead ? 'gone' : 'here';
  return (await isPaneGone(pane.identity)) ? 'gone' : 'unknown';
}

async function blockersOf(
  senses: Senses,
  view: PaneView,
  reading: ScreenReading,
  box: Seen['box'],
): Promise<Blocker[]> {
  const { still, ear, door, rules } = senses;
  const now = performance.now();
  if (view.text !== still.text) Object.assign(still, { text: view.text, since: now });
  const isStill = now - still.since >= STILL_MS;
  const blockers: Blocker[] = [];
  // Esc ends a turn without a word; an idle screen that stands still says so too.
  if (ear.isTurnOpen() && !(reading.state === 'idle' && isStill)) blockers.push('turn_open');
  if (WORK.includes(reading.state)) blockers.push('busy');
  // The menu that a command of our own opened goes with it.
  const isOurMenu = box === 'leftover' || (box === 'ours' && reading.state === 'slash_menu');
  if (isDialog(reading.state) && !isOurMenu) blockers.push('dialog');
  if (['unknown', 'exited', 'shell'].includes(reading.state)) blockers.push('unknown');
  if (hasBackground(view.text)) blockers.push('background');
  if (view.isInMode) blockers.push('copy_mode');
  if (view.holder !== null) blockers.push('human');
  // Whoever is at the keys, a pane that is busy gets none: only where Esc may be pressed it counts all the same.
  else if (view.watchers > 0 && (rules.interruptTurns || blockers.every(each => each === 'background'))) {
    const key = await door.lastKeyAt(view.session).catch(() => null);
    if (key !== null && Date.now() - key * 1000 < HUMAN_MS) blockers.push('human');
  }
  return blockers;
}

// What the state has sent and not seen taken; our own text in the box is no draft of somebody's.
function inFlight(state: HandoffState): string | null {
  if (state.name === 'asking' || state.name === 'resuming') return state.tries === 0 ? null : boxText(state.text);
  return state.name === 'clearing' ? '/clear' : null;
}

// By its words and by the note in the pane: the same number of lines may be anybody's paste.
export function holdsOurs(state: HandoffState, view: PaneView, { draft }: ScreenReading): boolean {
  const ours = inFlight(state);
  if (ours === null || !boxHolds(draft, ours) || !isTyped(draft, view.typed, view.keyAt)) return false;
  return state.name !== 'clearing' || draft?.trim() === ours;
}

async function boxOf(
  { door }: Senses,
  state: HandoffState,
  view: PaneView | null,
  reading: ScreenReading | null,
): Promise<Seen['box']> {
  if (view === null || reading === null) return 'unknown';
  if (reading.draft !== null) {
    if (holdsOurs(state, view, reading)) return 'ours';
    return (await hasLeftover(ensureRuntimeFolder(), door, view)) ? 'leftover' : 'other';
  }
  return reading.safe_to_type || reading.state === 'busy' ? 'empty' : 'unknown';
}

function saidOf(senses: Senses, state: HandoffState, reading: ScreenReading | null): Seen['said'] {
  const turn = turnOf(senses.ear.turns(), state);
  if (turn === undefined) return 'no';
  const isQuietNow = reading?.state === 'idle' && performance.now() - senses.still.since >= STILL_MS;
  return turn.isEnded || isQuietNow ? 'ended' : 'open';
}

function turnOf(turns: readonly Turn[], state: HandoffState): Turn | undefined {
  // As a command it is no prompt; one that the model got as plain text came after all that were known by then.
  if (state.name === 'clearing')
    return othersOf(turns, state)
      .slice(state.handoff.otherPrompts ?? 0)
      .find(turn => turn.prompt.trim() === '/clear');
  if (!('mark' in state)) return undefined;
  const line = markLine(state.mark);
  const order = orderName(state.mark);
  return turns.findLast(turn => (turn.isOrder ? turn.prompt === order : turn.prompt.includes(line)));
}

const othersOf = (turns: readonly Turn[], { handoff }: HandoffState): readonly Turn[] =>
  turns.filter(turn => !turn.isOrder && !turn.prompt.includes(`Baton-Message: ${handoff.id}/`));
