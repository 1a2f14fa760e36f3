// The validator of .ctxp packs: is this value one, and does what it says make sense. Pure.

import { CtxPack } from '../protocol/ctxpack.ts';
import type { Finding } from '../protocol/report.ts';
import { capped } from './capped.ts';
import { findDanger } from './find-danger.ts';

export { checkConsistency } from './check-consistency.ts';

export function checkCtxPack(value: unknown, where: string): { pack: CtxPack | null; findings: Finding[] } {
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
