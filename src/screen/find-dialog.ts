// The dialog at the end of the screen, if there is one: everything from its rule down. Where it was drawn
// without room for its rule, the whole screen is looked at, but then only its last rows decide.

import type { ScreenState } from '../protocol/screen.ts';
import type { Row } from './cells.ts';
import type { ScreenPatterns } from './screen-patterns.ts';

export type Dialog = { state: ScreenState; rows: readonly Row[] };

const RULE = /^(?: {2})?(?:─{20,}|▔{10,}.*▔)$/;
const MOST_RULES = 3; // a question has an inner rule, a plan's dialog two outer ones

export function findDialog(rows: readonly Row[], patterns: ScreenPatterns): Dialog | null {
  const rules = rows.flatMap((row, index) => (RULE.test(row.text) ? [index] : [])).slice(-MOST_RULES);
  for (const start of [...rules.toReversed(), -1]) {
    const region = rows.slice(start + 1).filter(row => row.text !== '');
    const state = nameDialog(region, start < 0 && rules.length > 0, patterns);
    if (state !== null) return { state, rows: rows.slice(start + 1) };
  }
  return null;
}

function nameDialog(region: readonly Row[], isCut: boolean, patterns: ScreenPatterns): ScreenState | null {
  if (isCut) return null;
  const lines = region.map(row => row.text.trim());
  const text = lines.join('\n');
  const found = patterns.dialogs.find(
    ({ title, words }) => (title === undefined || title.test(lines[0] ?? '')) && words.every(word => word.test(text)),
  );
  return found?.state ?? null;
}
