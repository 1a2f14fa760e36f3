// .ctxp: a small graph of what an agent found out. Version 1, described in docs/ctxpack.md.

import { z } from 'zod';

const Id = z.string().min(1).max(512);

export const CtxNode = z.strictObject({
  id: Id.describe('Unique in the pack. Nodes of several packs with one id speak of the same thing.'),
  type: z.string().min(1).max(128).describe('e.g. decision, fact, file, risk, task, question.'),
  content: z.json().describe('Text or any JSON value.'),
  source: z
    .union([z.string(), z.array(z.string()).min(1)])
    .describe('Where it comes from: a file, a URL, an agent. A merged pack lists all of them.'),
  files: z.array(z.string().min(1)).optional().describe('Files it speaks of, relative to the workspace.'),
});
export type CtxNode = z.infer<typeof CtxNode>;

export const CtxEdge = z.strictObject({
  from: Id,
  to: Id,
  relation: z.string().min(1).max(128).describe('e.g. depends_on, part_of, supports, contradicts, before.'),
});
export type CtxEdge = z.infer<typeof CtxEdge>;

export const CtxPack = z.strictObject({
  ctxpack: z.literal(1).describe('Version of the format.'),
  title: z.string().optional(),
  nodes: z.array(CtxNode),
  edges: z.array(CtxEdge).default([]),
});
export type CtxPack = z.infer<typeof CtxPack>;
