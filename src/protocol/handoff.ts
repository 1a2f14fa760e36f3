// What the watchdog reads and writes: the journal of a handoff, the record of a finished one, its own health, the
// panes a user gave it. Forms only; decisions are in src/handoff, settings in config.ts.

import { z } from 'zod';

export const handoffReasons = ['context threshold', 'manual', 'error recovery'] as const;
export const HandoffReason = z.enum(handoffReasons);
export type HandoffReason = z.infer<typeof HandoffReason>;

export const handoffSteps = [
  'observed',
  'quiet',
  'asked',
  'written',
  'fallback',
  'archived',
  'committed',
  'cleared',
  'resumed',
  'closed',
] as const;
export const HandoffStep = z.enum(handoffSteps);
export type HandoffStep = z.infer<typeof HandoffStep>;

// How a handoff ends. Only the first is the whole cycle; each leaves the agent working, or gone by itself.
export const handoffEnds = {
  closed: 'the whole cycle was done and proven',
  finished: 'the agent had fulfilled its contract: it is finished, not handed off',
  session_changed: 'another session is in the pane now: somebody cleared or restarted it',
  lease_lost: 'another process has taken the lease of the pane',
  agent_gone: 'Claude Code or its pane ended during the handoff',
  blind: 'the pane could not be looked at for too long',
  archive_failed: 'the old document could not be put into the archive',
  document_failed: 'neither the agent nor the watchdog could write a valid document',
  commit_failed: 'the document could not be committed anywhere',
  commit_awaited: 'auto_commit is false and nobody committed the document in time',
  not_cleared: 'the document is committed, but the pane was never free for /clear',
  clear_unproven: '/clear was sent and no new session was seen; it is not sent a second time',
  resume_blocked: 'the fresh session could not be told to go on',
  futile: 'the fresh session was over the threshold at once: another handoff would not help',
} as const;
export type HandoffEnd = keyof typeof handoffEnds;
export const HandoffEnd = z.enum(Object.keys(handoffEnds) as [HandoffEnd, ...HandoffEnd[]]);

export const CommitPlace = z.enum(['branch', 'ref', 'own']);
export const CommitProof = z.strictObject({
  sha: z.string().regex(/^[0-9a-f]{40,64}$/),
  place: CommitPlace,
  repository: z.string(),
  why: z.string().nullable().describe('What kept the project branch from taking it.'),
});
export type CommitProof = z.infer<typeof CommitProof>;

const time = z.iso.datetime();

export const HandoffRecord = z.strictObject({
  version: z.literal(1),
  id: z.string().min(1),
  pane: z.string(),
  reason: HandoffReason,
  outcome: HandoffEnd,
  why: z.string(),
  started_at: time,
  ended_at: time,
  steps: z.partialRecord(HandoffStep, time).describe('When each step was proven.'),
  session_before: z.string(),
  session_after: z.string().nullable(),
  tokens_before: z.int().min(0).nullable(),
  tokens_after: z.int().min(0).nullable(),
  written_by: z.enum(['agent', 'watchdog']).nullable(),
  commit: CommitProof.nullable(),
  archived: z.array(z.string()),
  notes: z.array(z.string()),
});
export type HandoffRecord = z.infer<typeof HandoffRecord>;

// One line of a journal. The state is whole in every line, so the last good line is all a restart needs.
export const JournalEntry = z.strictObject({
  version: z.literal(1),
  n: z.int().min(1),
  at: z.number(),
  kind: z.enum(['step', 'intent', 'proof']),
  state: z.looseObject({ name: z.string() }),
  effects: z.array(z.looseObject({ do: z.string() })),
  outcome: z.looseObject({ did: z.string() }).nullable(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

export const BreakerRecord = z.strictObject({
  version: z.literal(1),
  failures: z.array(z.number()),
  paused_until: z.number().nullable(),
});
export type BreakerRecord = z.infer<typeof BreakerRecord>;

// By name, as they were typed; over those of baton.json.
export const GivenSettings = z.record(z.string(), z.string()).default({}).describe('Given by flags and variables.');

export const AdoptedPane = z.strictObject({
  socket: z.string().min(1),
  pane: z.string().regex(/^%\d+$/),
  pid: z.int().min(1),
  folder: z.string().min(1),
  role: z.enum(['agent', 'orchestrator']),
  adopted_at: time,
  has_hooks: z.boolean().describe('false: it is read from screen and transcript alone.'),
  config_folder: z.string().nullable().default(null).describe('Where its Claude Code keeps sessions and transcripts.'),
  settings: GivenSettings,
});
export type AdoptedPane = z.infer<typeof AdoptedPane>;
export const AdoptedPanes = z.strictObject({ version: z.literal(1), panes: z.array(AdoptedPane) });
export type AdoptedPanes = z.infer<typeof AdoptedPanes>;

// What is needed to put a project's settings.local.json back as it was.
export const AdoptedProject = z.strictObject({
  version: z.literal(1),
  folder: z.string().min(1),
  before: z.string().nullable().describe('The text of the file; null: there was none.'),
  had_folder: z.boolean().describe('false: .claude was made for it.'),
  written: z.string().describe('sha256 of the text that was written.'),
});
export type AdoptedProject = z.infer<typeof AdoptedProject>;

export const WatchdogStatus = z.strictObject({
  version: z.literal(1),
  pid: z.int().min(1),
  started_at: time,
  heartbeat_at: time,
  panes: z.array(
    z.strictObject({
      socket: z.string(),
      pane: z.string(),
      agent: z.string().nullable(),
      session_id: z.string().nullable(),
      tokens: z.int().min(0).nullable(),
      threshold: z.int().min(0).nullable(),
      handoff: z.strictObject({ id: z.string(), state: z.string(), since: time }).nullable(),
      paused: z.string().nullable().default(null).describe('Why it is full and not handed off: a limit is reached.'),
      lacks: z.array(z.string()).describe('The proofs this pane cannot give.'),
    }),
  ),
  paused_until: time.nullable().describe('The breaker: no handoff begins before.'),
  last_error: z.strictObject({ at: time, message: z.string() }).nullable(),
});
export type WatchdogStatus = z.infer<typeof WatchdogStatus>;
