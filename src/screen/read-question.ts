// The question of a dialog, with its options, so that a person or a policy can answer it by number. The
// digest names the question: whoever answers later compares it with the one on the screen then.

import { createHash } from 'node:crypto';
import type { ScreenQuestion, ScreenState } from '../protocol/screen.ts';
import { parseCells } from './cells.ts';
import { findBox } from './find-box.ts';
import { findDialog } from './find-dialog.ts';
import { newestPatterns, type ScreenPatterns } from './screen-patterns.ts';

const ASKING: readonly ScreenState[] = ['permission', 'question', 'plan', 'trust', 'api_key', 'bypass', 'mcp', 'login'];

export function readQuestion(text: string, patterns: ScreenPatterns = newestPatterns): ScreenQuestion | null {
  const rows = parseCells(text);
  if (findBox(rows, patterns) !== null) return null;
  const dialog = findDialog(rows, patterns);
  if (dialog === null || !ASKING.includes(dialog.state)) return null;
  const { title, body } = dialog;
  const options = dialog.options.map(({ number, label, selected }) => ({ number, label, selected }));
  return { title, body, options, digest: digestOf([title, body, ...options.map(option => option.label)]) };
}

// Blanks do not count: the same question at another width is wrapped elsewhere.
function digestOf(parts: readonly string[]): string {
  const words = parts.map(part => part.replace(/\s+/g, ' '));
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);
}
