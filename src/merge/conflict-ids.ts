// Short names for disputes, the same each time the merge runs. Pure.

import { createHash } from 'node:crypto';

const SHORT = 8;

export function conflictIds(disputes: { kind: string; path: string }[]): string[] {
  const hashes = disputes.map(({ kind, path }) => createHash('sha256').update(`${kind}\0${path}`).digest('hex'));
  let length = SHORT;
  while (length < 64 && new Set(hashes.map(hash => hash.slice(0, length))).size < new Set(hashes).size) length += 4;
  return hashes.map(hash => `c-${hash.slice(0, length)}`);
}
