// conflicts.json: what is left for a person to decide, with every side's content. Pure.

import type { Conflict, ConflictSide } from '../protocol/conflicts.ts';
import type { Dispute, Side } from './leaf.ts';
import { toUtf8 } from './text.ts';

export const INLINE_BYTES = 256 * 1024;
// All contents together; beyond it the report would be too large to open, and the kept copies serve.
const INLINE_TOTAL = 32 * 1024 * 1024;

export type Shown = { dispute: Dispute; bodies: (Buffer | null)[] };

export function buildConflicts(shown: Shown[], keptAt: (sha256: string) => string): Conflict[] {
  let left = INLINE_TOTAL;
  return shown.map(({ dispute, bodies }) => ({
    id: dispute.id,
    kind: dispute.kind,
    path: dispute.path,
    reason: dispute.reason,
    base: dispute.base ? { source: dispute.base.source, sha256: dispute.base.sha256 } : null,
    sides: dispute.sides.map((side, i) => {
      const body = bodies[i] ?? null;
      const isShown = body !== null && body.length <= Math.min(INLINE_BYTES, left);
      if (isShown) left -= body.length;
      return toConflictSide(side, isShown ? body : null, keptAt(side.sha256));
    }),
  }));
}

function toConflictSide(side: Side, body: Buffer | null, kept_at: string): ConflictSide {
  const { agent, source, sha256, bytes } = side;
  const whose = { agent, source, sha256, bytes, kept_at };
  if (!body) return { ...whose, encoding: 'file', content: '' };
  const text = body.includes(0) ? null : toUtf8(body);
  if (text === null) return { ...whose, encoding: 'base64', content: body.toString('base64') };
  return { ...whose, encoding: 'utf8', content: text };
}
