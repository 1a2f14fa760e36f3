// conflicts.json: what the merge could not decide, with every side's content. And merge/record.json.

import { z } from 'zod';
import { ExecutionId, Instant } from './text.ts';

export const ConflictSide = z.strictObject({
  agent: z.string(),
  source: z.string().describe('Absolute path of the file this side comes from.'),
  sha256: z.string(),
  bytes: z.int(),
  encoding: z.enum(['utf8', 'base64', 'file']).describe('file: too large to show here; its bytes are at kept_at.'),
  content: z.string(),
  kept_at: z.string().describe('Absolute path of an unchanged copy.'),
});
export type ConflictSide = z.infer<typeof ConflictSide>;

export const Conflict = z.strictObject({
  id: z.string().describe('Short and stable: use it with `baton merge --take <id>=<agent>`.'),
  kind: z.enum(['file', 'ctxpack_node']),
  path: z.string().describe('Path in merged/, or the id of the node.'),
  reason: z.string(),
  base: z.strictObject({ source: z.string(), sha256: z.string() }).nullable(),
  sides: z.array(ConflictSide).min(2),
});
export type Conflict = z.infer<typeof Conflict>;

export const ConflictReport = z.strictObject({
  execution_id: ExecutionId,
  written_at: Instant,
  conflicts: z.array(Conflict).min(1),
});
export type ConflictReport = z.infer<typeof ConflictReport>;

export const FileFate = z.strictObject({
  agent: z.string(),
  output: z.string(),
  source: z.string(),
  sha256: z.string(),
  fate: z.enum(['merged', 'conflict', 'source', 'discarded']),
  at: z.string().describe('Where this version now is, whole: in merged/, in conflicts.json, or kept in merge/kept/.'),
});
export type FileFate = z.infer<typeof FileFate>;

export const MergeRecord = z.strictObject({ execution_id: ExecutionId, files: z.array(FileFate) });
export type MergeRecord = z.infer<typeof MergeRecord>;
