// The words of the handoff cycle: what is seen, what is known, what is done. Plain values, no behaviour.

import type { CommitProof, HandoffEnd, HandoffReason, HandoffRecord, HandoffStep } from '../protocol/handoff.ts';

export type DocumentProblem = { section: string | null; problem: string };

// Why nothing may be typed now. Several at once are usual.
export type Blocker =
  | 'turn_open'
  | 'busy' // the screen shows work although no turn is known to be open
  | 'dialog' // permission, question, plan, or any menu
  | 'draft' // somebody's text is in the box (not ours: that is `box`)
  | 'copy_mode'
  | 'human' // a human key in the last seconds
  | 'background' // a background task runs; stops counting past the hard threshold
  | 'unknown'; // the screen could not be read or understood

// The handoff document as it lies on the disk now. What cannot be read as a text is one with problems, not none.
export type SeenDocument = {
  hash: string; // stays the same when it is moved
  lines: number;
  hasId: boolean; // carries the line `Handoff-Id: <id of this handoff>`
  problems: readonly DocumentProblem[]; // checkDocument against the template and this id
  isWatchdogs: boolean; // written by fallbackDocument, and unchanged since
  isSaved: boolean; // these very bytes are in a commit of the project (or of this handoff)
  isTemplate: boolean; // nothing but the template's own text
  flagged?: string; // it holds a merge conflict: the hash of its text with both sides kept and flagged
  unfit: string | null; // why it may be in no commit: a secret in it, too large, not a plain file
};

export type Seen = {
  at: number; // wall clock, ms; may jump
  pane: 'here' | 'gone' | 'unknown'; // gone: proven dead. A probe that failed is unknown
  lease: 'ours' | 'free' | 'other';
  sessionId: string | null; // of the present session, by receipt or transcript; null: not known now
  isCleared: boolean; // /clear began the present session; also where nothing tells how it began
  tokens: number | null; // freshest exact reading of the PRESENT session (never an estimate, never an older session's)
  blockers: readonly Blocker[]; // empty: quiet
  // ours: proven to hold the text (or /clear) the state has in flight; leftover: another text of Baton's own that
  // nobody is about to send; other: a person's
  box: 'empty' | 'ours' | 'leftover' | 'other' | 'unknown';
  isFull: boolean; // "Context limit reached": Claude Code takes no prompt any more
  contract: 'met' | 'unmet' | 'none'; // none: this pane has no contract (adopted, orchestrator)
  canOrder: boolean; // hooks are there that carry an order into a working session
  // The prompt whose mark the state has in flight, searched in receipts and transcript of the present session:
  // open: it was taken and its turn runs; ended: that turn is over (Stop, StopFailure, Esc); unknown: not searchable
  // In `clearing` it is a prompt "/clear" that the model got as plain text, younger than the state.
  said: 'no' | 'open' | 'ended' | 'unknown';
  trouble: { why: string; until: number | null } | null; // the API failed the last turn, or the account's gate is shut
  otherPrompts: number; // prompts in the present session that are not ours (a person, the engine)
  compactions: number; // of the present session
  document: SeenDocument | null; // null: there is none
  archiveNames: readonly string[]; // names taken in the archive folder
  archiveHash: string | null; // of the file at the state's `archive.to`; null: none there, or nothing in flight
  commit: CommitProof | null; // findHandoffCommit of this id and these very bytes, reachable NOW
};

// How the last deed went, by the one who did it. Null after a restart: nobody knows.
export type Outcome =
  | { did: 'done' }
  | { did: 'nothing'; why: string } // provably nothing was sent or written
  | { did: 'unsure'; why: string } // something may have happened
  | { did: 'full'; why: string }; // the prompt was refused: the context is full

// to: a bare name in the archive folder; hash: of what goes there; of: of the document as it lies, where that is not the
// same because the sides of a conflict are flagged on the way; unfit: why it is in no commit.
export type Archive = { to: string; hash: string; of?: string; unfit: string | null };

// Each deed, whether it may be done again without asking (R) or only after a look (L), and what proves it.
export type Effect =
  | { do: 'hold' } // R  lease taken and compaction held off (PreCompact). Proof: lease is ours
  | { do: 'order'; mark: string; text: string } // R  text laid where Stop and PostToolUse hooks pick it up. Proof: said
  // L  first withdraws an order of the same mark and searches once more, then types. Proof: said
  | { do: 'say'; mark: string; text: string; sessionId: string }
  // L  Enter alone, into a box proven to hold our text. `commit`: it is /clear that stands there, so the commit is
  // proven once more, as for `clear`; null for a prompt. Proof: said, or another sessionId
  | { do: 'submit'; mark: string; sessionId: string; commit: string | null }
  | { do: 'wipe' } // R  a leftover taken out of the box, if it still is one. Proof: box
  | { do: 'interrupt'; sessionId: string } // L  one Esc, only into an open turn without a dialog. Proof: the turn is over
  | { do: 'archive'; archive: Archive } // R  copy, fsync, then template in its place if it still has that hash. Proof: archiveHash
  // R  the document written from facts; `over`: the hash it may replace (null: none there), else nothing is
  // written. Proof: document hasId, isWatchdogs
  | { do: 'write_fallback'; id: string; reason: HandoffReason; why: string; over: string | null }
  | { do: 'commit'; id: string; files: string[]; message: string } // L  searched by id first. Proof: commit
  // L  proves the commit, the lease, the session and the quiet once more, inside the pane's lock, then types
  // "/clear" without Enter, which is a `submit`. Proof: box
  | { do: 'clear'; id: string; sessionId: string; commit: string }
  | { do: 'alert'; key: string; text: string } // R  the key makes a second one the same
  | { do: 'record'; record: HandoffRecord } // R  written whole, by id
  | { do: 'release' }; // R  lease given back if it is ours, compaction free, order withdrawn

export const repeatable: ReadonlySet<Effect['do']> = new Set([
  'hold',
  'wipe',
  'order',
  'archive',
  'write_fallback',
  'alert',
  'record',
  'release',
]);

// Where a handoff reads and writes; links are resolved.
export type Places = {
  root: string; // the project: nothing outside of it is written
  folder: string; // where the session works
  documentPath: string;
  templatePath: string;
  archiveDir: string;
  archiveStem: string; // names in the archive begin so
};

// What one handoff knows from its beginning to its end.
export type Handoff = {
  id: string;
  pane: string; // as the user knows it: "agent tests" or "%7 of /tmp/x"
  reason: HandoffReason;
  sessionId: string; // the one that is handed off
  startedAt: number;
  tokensBefore: number | null;
  sessionAfter: string | null;
  tokensAfter: number | null;
  steps: Partial<Record<HandoffStep, number>>;
  messages: number; // prompts begun so far; the mark of the next is `<id>/<messages + 1>`
  documentBefore: string | null; // its hash when first asked
  corrections: number;
  shortened: boolean;
  updates: number; // times the document had to be brought up to date before the clear
  wipes: number; // tries to take a leftover out of the box
  clears: number; // times /clear was about to be sent; all but the last provably sent nothing
  author: 'agent' | 'watchdog' | null;
  otherPrompts: number | null; // when the document was asked for: later ones are not in it
  compactions: number | null;
  archived: string[];
  unfit?: string[]; // those of them that are in no commit
  commit: CommitProof | null;
  notes: string[];
  // In the journal: settings that change meanwhile do not part it from its document.
  places?: Places;
};

export type Purpose = 'handoff' | 'correction' | 'shorter' | 'update' | 'again';

// `waitedMs` is time seen to pass in this state; a jump of the clock counts for little, a restart for nothing.
type Waiting = { handoff: Handoff; lastAt: number; waitedMs: number; blindMs: number; alerted: boolean };
type InFlight = { mark: string; tries: number; submits: number };

export type HandoffState =
  | ({ name: 'observed'; tries: number } & Waiting)
  | ({ name: 'quiet'; isHard: boolean; interrupts: number } & Waiting)
  | ({ name: 'ordered'; mark: string; interrupts: number } & Waiting)
  | ({
      name: 'archiving';
      archive: Archive;
      next: 'ask' | 'order' | 'shorter' | 'fallback';
      why: string;
      tries: number;
    } & Waiting)
  | ({ name: 'asking'; purpose: Purpose; text: string } & InFlight & Waiting)
  | ({ name: 'writing'; mark: string; purpose: Purpose } & Waiting)
  | ({ name: 'fallback'; why: string; over: string | null; tries: number } & Waiting)
  | ({ name: 'committing'; tries: number } & Waiting)
  | ({ name: 'awaiting_commit' } & Waiting) // auto_commit is false
  | ({ name: 'committed' } & Waiting) // free to clear as soon as it is quiet
  | ({ name: 'clearing'; submits: number } & Waiting)
  | ({ name: 'resuming'; text: string } & InFlight & Waiting)
  | ({ name: 'settling'; mark: string } & Waiting) // told to go on; waits for the first fresh reading
  | { name: 'ended'; how: HandoffEnd; why: string; handoff: Handoff; endedAt: number };

export type Limits = {
  pollMs: number; // between two looks
  maxGapMs: number; // the most that one look may add to a wait
  settleMs: number; // after this, what was sent has shown itself or was never sent
  saidMs: number; // a prompt in flight is tried again after this
  writeMs: number; // the agent's time to write
  alertMs: number; // a wait without limit tells once after this
  orderMs: number; // a hard order not taken by then: Esc, where allowed
  commitRetryMs: number;
  userCommitMs: number;
  clearWaitMs: number; // committed, and never quiet
  clearMs: number; // sent, and no new session
  resumeMs: number;
  blindMs: number; // looks failing, or the pane unknown
  troubleMs: number; // between two tries after an API failure
};

export type Rules = {
  threshold: number;
  hardThreshold: number;
  lastTokens: number | null; // from here on the agent is not asked: the watchdog writes (safe maximum of the window)
  interruptTurns: boolean;
  autoCommit: boolean;
  sizeThreshold: number; // lines
  task: string; // what the agent goes on with after /clear
  limits: Limits;
} & Places;

export type Working = Exclude<HandoffState, { name: 'ended' }>;

// Besides what is seen: the time even when nothing could be seen, how the deed in flight went, and whether one more
// handoff may be at work on this machine (max_concurrent_handoffs).
export type Moment = { at: number; outcome: Outcome | null; hasRoom: boolean };

export type Decision = { next: HandoffState; effects: Effect[] };
