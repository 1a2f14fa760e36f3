// An error that Claude Code itself shows: in the spinner's row while it tries again, or as the last thing
// above the input box. Told from the model's prose by place and colour, because a model may quote any error.

import type { ScreenError } from '../protocol/screen.ts';
import type { Row } from './cells.ts';
import { newestPatterns, type ScreenPatterns } from './screen-patterns.ts';

const RESETS = /\bresets?\s+(?:at\s+|in\s+)?([^·.\n]+?)(?=\s*(?:[·.]|$))/i;

export function readRetry(row: Row, patterns: ScreenPatterns): ScreenError | null {
  const words = patterns.retrying.exec(row.text)?.[1];
  return words === undefined ? null : describe(words, patterns, true);
}

// above: the rows over the box, the notice row taken away.
export function readError(
  above: readonly Row[],
  placeholder: string | null,
  patterns: ScreenPatterns,
): ScreenError | null {
  const last = above.findLastIndex(row => row.text !== '');
  let start = last;
  while (start > 0 && isContinuation(above[start]!) && above[start - 1]!.text !== '') start -= 1;
  const row = above[start];
  if (row === undefined) return null;
  const message = above
    .slice(start, last + 1)
    .map((part, index) => (index === 0 ? part.text : part.text.trim()))
    .join(' ')
    .trimEnd();
  const spoken = patterns.errorRow.exec(message)?.[1];
  if (spoken !== undefined) return isOneColour(row) ? describe(spoken, patterns, false) : null;
  const told = patterns.noticeRow.exec(message)?.[1];
  const isMissed = patterns.errorPlaceholder.test(placeholder ?? '');
  // The box itself says that the last prompt failed, but the first words of it are above the screen.
  if (told === undefined) return start === 0 && isMissed ? describe(message.trim(), patterns, false) : null;
  if (!isColoured(row, told)) return null;
  const isOwn = patterns.userRow.test(above[start - 1]?.text ?? '') || isMissed;
  const kind = kindOf(told, patterns);
  return isOwn && kind !== 'other' ? describe(told, patterns, false) : null;
}

// The same words where there is no screen: in the result of a headless session.
export const readErrorWords = (words: string): ScreenError => describe(words.trim(), newestPatterns, false);

const isContinuation = (row: Row): boolean => /^ {2}(?! ?⎿)/.test(row.text);

// The model's bullet is brighter than its text; an error's bullet and words share a colour.
function isOneColour(row: Row): boolean {
  const inked = row.cells.filter(cell => cell.char.trim() !== '');
  return inked[0]!.fg !== '' && inked.every(cell => cell.fg === inked[0]!.fg);
}

function isColoured(row: Row, words: string): boolean {
  const at = row.text.indexOf(words.slice(0, 8));
  const sign = row.cells.find(cell => cell.char === '⎿');
  const cell = row.cells[at];
  return at > 0 && cell !== undefined && cell.fg !== '' && cell.fg !== sign?.fg;
}

function kindOf(words: string, patterns: ScreenPatterns): ScreenError['kind'] {
  return patterns.errors.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
}

function describe(words: string, patterns: ScreenPatterns, isRetrying: boolean): ScreenError {
  const kind = kindOf(words, patterns);
  const resets = kind === 'usage_limit' ? (RESETS.exec(words)?.[1] ?? null) : null;
  return { kind, message: words, resets_at: resets, is_retrying: isRetrying };
}
