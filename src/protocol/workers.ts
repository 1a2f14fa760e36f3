// What the watchdog keeps about workers for orchestrators: how each stands, what happened to it, and up to where
// an orchestrator was told. Forms only.

import { z } from 'zod';

const time = z.iso.datetime();

export const workerStates = [
  'pending',
  'running',
  'asking',
  'parked',
  'unattended', // its engine is gone
  'success',
  'failure',
  'timeout',
  'skipped',
  'gone', // its pane or its execution is not there any more
] as const;
export const WorkerState = z.enum(workerStates);
export type WorkerState = z.infer<typeof WorkerState>;

export const Worker = z.strictObject({
  key: z.string().min(1),
  name: z.string(),
  ref: z.string().nullable().describe('How commands of Baton name it; null: by its pane.'),
  folder: z.string().describe('The workspace of its execution, or where its session works.'),
  task: z.string().nullable(),
  state: WorkerState,
  attempt: z.int().min(0),
  note: z.string().nullable(),
  waits_for: z.array(z.string()),
  question: z
    .strictObject({
      digest: z.string(),
      kind: z.string(),
      title: z.string(),
      options: z.array(z.string().describe('Number and words.')),
    })
    .nullable(),
  handoff: z.string().nullable().describe('The id of the handoff under way.'),
  tokens: z.int().min(0).nullable(),
  ended_at: time.nullable(),
});
export type Worker = z.infer<typeof Worker>;

export const WorkerEvent = z.strictObject({
  n: z.int().min(1),
  at: time,
  key: z.string(),
  name: z.string(),
  text: z.string(),
  is_end: z.boolean(),
  folder: z.string(),
});
export type WorkerEvent = z.infer<typeof WorkerEvent>;

export const WorkerBook = z.strictObject({
  version: z.literal(1),
  begun_at: time.describe('What ended before this is not told.'),
  last_n: z.int().min(0),
  workers: z.array(Worker),
  events: z.array(WorkerEvent),
});
export type WorkerBook = z.infer<typeof WorkerBook>;

// How far one orchestrator was told. `pending` is on the disk before the first key is sent.
export const CheckCursor = z.strictObject({
  version: z.literal(1),
  pid: z.int(),
  told: z.int().min(0).describe('The last event it was told, with a receipt.'),
  last_at: time.nullable(),
  pending: z.strictObject({ id: z.string(), text: z.string(), through: z.int().min(0), at: time }).nullable(),
});
export type CheckCursor = z.infer<typeof CheckCursor>;

// An index that a handoff began, and that is kept true from then on.
export const KeptIndex = z.strictObject({
  place: z.string(),
  workspaces: z.array(z.string()).describe('The executions it tells of.'),
  shape: z.string().describe('How they stood when it was written.'),
  commit: z.boolean().describe('Its branch takes it.'),
});
export type KeptIndex = z.infer<typeof KeptIndex>;
export const KeptIndexes = z.strictObject({ version: z.literal(1), indexes: z.array(KeptIndex) });
