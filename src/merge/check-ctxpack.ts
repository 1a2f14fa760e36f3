// The validator of .ctxp packs: is this value one, and does what it says make sense. Pure.

import { CtxPack } from '../protocol/ctxpack.ts';
import type { Finding } from '../protocol/report.ts';
import { capped } from './capped.ts';
import { findDanger } from './find-danger.ts';
import { findLoss } from './find-loss.ts';
import { toUtf8 } from './text.ts';

export { checkConsistency } from './check-consistency.ts';

export type CheckedPack = { pack: CtxPack | null; findings: Finding[] };

export const MAX_PACK_BYTES = 8 * 1024 * 1024;

// The bytes of a file; null when there are too many of them to be read at once.
export function readCtxPack(body: Uint8Array | null, where: string): CheckedPack {
  const refuse = (message: string): CheckedPack => {
    return { pack: null, findings: [{ check: 'schema_validation', severity: 'error', message, source: where }] };
  };
  if (!body || body.length > MAX_PACK_BYTES)
    return refuse(`is larger than ${MAX_PACK_BYTES / 1024 / 1024} MB; split it`);
  const text = toUtf8(body)?.replace(/^\ufeff/, '');
  if (text === undefined) return refuse('is not UTF-8 text');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`is not JSON: ${(error as Error).message}`);
  }
  const loss = findDanger(value) ? null : findLoss(text, value);
  return loss ? refuse(loss) : checkCtxPack(value, where);
}

export function checkCtxPack(value: unknown, where: string): CheckedPack {
  const toFinding = (message: string): Finding => {
    return { check: 'schema_validation', severity: 'error', message, source: where };
  };
  const danger = findDanger(value);
  if (danger) return { pack: null, findings: [toFinding(danger)] };
  const parsed = CtxPack.safeParse(value);
  if (!parsed.success) {
    const messages = parsed.error.issues.map(({ path, message }) => `${toPath(path)}: ${message}`);
    return { pack: null, findings: capped(messages).map(toFinding) };
  }
  const repeated = findRepeatedIds(parsed.data);
  if (repeated.length > 0) return { pack: null, findings: capped(repeated).map(toFinding) };
  return { pack: parsed.data, findings: [] };
}

function findRepeatedIds(pack: CtxPack): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of pack.nodes) {
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return [...repeated].map(id => `two nodes have the id ${JSON.stringify(id)}; ids are unique in a pack`);
}

function toPath(path: PropertyKey[]): string {
  if (path.length === 0) return 'the pack';
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? String(key) : `.${String(key)}`))
    .join('');
}
