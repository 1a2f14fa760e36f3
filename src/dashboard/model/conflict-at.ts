// Which conflict is looked at: the chosen one, or the first that is left to decide; and the command that shows it.
// Pure.

import type { Seen, SeenConflict } from './seen.ts';
import type { Pager } from './ui.ts';

export type ConflictAt = SeenConflict & { at: number; all: readonly SeenConflict[] };

export function conflictAt(pager: Pager | null, { executions }: Pick<Seen, 'executions'>): ConflictAt | null {
  if (pager?.kind !== 'conflicts') return null;
  const all = executions.find(({ id }) => id === pager.title)?.conflicts ?? [];
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === pager.conflict),
  );
  return all[at] === undefined ? null : { ...all[at], at, all };
}

// One conflict at a time, so that both of its sides fit beside each other.
export const pageArgv = (pager: Pager | null, conflict: ConflictAt | null): readonly string[] =>
  pager === null ? [] : conflict === null ? pager.argv : [...pager.argv, conflict.id];
