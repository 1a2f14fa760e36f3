// What a captured screen of Claude Code means. Pure: the text of `capture-pane -p -e` in, a reading out.
// It cannot see vim's NORMAL mode in an empty box (nothing on the screen tells), copy mode, or whether the
// process still lives: whoever types asks tmux for the last two and switches vim off in the settings.

import type { ScreenError, ScreenReading, ScreenState } from '../protocol/screen.ts';
import { parseCells, type Row, type Size } from './cells.ts';
import { type Box, findBox } from './find-box.ts';
import { findDialog } from './find-dialog.ts';
import { readError, readRetry } from './read-error.ts';
import { newestPatterns, type ScreenPatterns } from './screen-patterns.ts';
import { readStatusRows } from './status-line.ts';

// A menu of commands, a help panel or a long list below the box is no status line.
const MOST_STATUS_ROWS = 6;
const SURVEY_ROWS = 6;

export function readScreen(text: string, size?: Size, patterns: ScreenPatterns = newestPatterns): ScreenReading {
  const rows = parseCells(text);
  const box = findBox(rows, patterns, size);
  if (box?.below.every(isIndented)) return readBoxed(rows, box, patterns);
  const state = readTail(rows, patterns) ?? (box === null ? findDialog(rows, patterns)?.state : null) ?? 'unknown';
  return { state, safe_to_type: false, draft: null, placeholder: null, context: null, error: null };
}

function readBoxed(rows: readonly Row[], box: Box, patterns: ScreenPatterns): ScreenReading {
  const above = withoutNotice(rows.slice(0, box.top));
  const activity = above.findLast(row => /^\S/.test(row.text));
  const retry = activity === undefined ? null : readRetry(activity, patterns);
  const error = retry ?? readError(above, box.placeholder, patterns);
  const state = nameBoxed(rows, box, activity, retry, error, patterns);
  return {
    state,
    safe_to_type: state === 'idle' && box.isEmpty && box.draft === null,
    draft: box.draft,
    placeholder: box.placeholder,
    context: isCovered(box, patterns) ? null : readStatusRows(box.below.map(row => row.text)),
    error,
  };
}

function nameBoxed(
  rows: readonly Row[],
  box: Box,
  activity: Row | undefined,
  retry: ScreenError | null,
  error: ScreenError | null,
  patterns: ScreenPatterns,
): ScreenState {
  const last = modeRowOf(box)?.text ?? '';
  if (box.mark === 'shell') return 'shell';
  if (patterns.exitArmed.test(last)) return 'exit_armed';
  if (box.draft?.startsWith('/') && hasMenu(rows, box, patterns)) return 'slash_menu';
  if (retry !== null) return 'retrying';
  const spins = activity !== undefined && patterns.spinner.test(activity.text);
  if (spins && patterns.compacting.test(activity.text)) return 'compacting';
  if (spins || !box.isLit || patterns.interruptible.test(last)) return 'busy';
  if (activity !== undefined && isUnfinished(activity, patterns)) return 'unknown';
  if (isLoggedOut(rows, box, error, patterns)) return 'login';
  // From here on it is idle or not understood.
  if (isCovered(box, patterns) || modeRowOf(box)?.cells.some(cell => cell.inverse)) return 'unknown';
  if (rows.slice(Math.max(0, box.top - SURVEY_ROWS), box.top).some(row => patterns.survey.test(row.text)))
    return 'unknown';
  if (!hasModeRow(box, patterns) && !(box.draft !== null && patterns.hintRow.test(last))) return 'unknown';
  if (patterns.cutOff.test(last)) return 'unknown';
  if (patterns.vim.test(last) && !patterns.vimInsert.test(last)) return 'unknown';
  return box.hasCursor ? 'idle' : 'unknown';
}

// Below the box: status rows of anybody's making, and the row of the permission mode as the last.
function hasModeRow(box: Box, patterns: ScreenPatterns): boolean {
  return patterns.modeRow.test(modeRowOf(box)?.text ?? '');
}

// In a narrow pane the notice of the right edge gets a row of its own, below all others.
const modeRowOf = (box: Box): Row | undefined => box.below.findLast(row => !isNotice(row));

function isCovered(box: Box, patterns: ScreenPatterns): boolean {
  const hasCommands = box.draft?.startsWith('/') && box.below.some(row => patterns.menuRow.test(row.text));
  return box.below.length > MOST_STATUS_ROWS || hasCommands === true;
}

function hasMenu(rows: readonly Row[], box: Box, patterns: ScreenPatterns): boolean {
  const near = [...rows.slice(Math.max(0, box.top - 8), box.top), ...box.below];
  return near.some(row => patterns.menuRow.test(row.text));
}

function isLoggedOut(rows: readonly Row[], box: Box, error: ScreenError | null, patterns: ScreenPatterns): boolean {
  const notices = [rows[box.top - 1]?.text ?? '', ...box.below.map(row => row.text)];
  return notices.some(text => patterns.loggedOut.test(text)) || patterns.loggedOut.test(error?.message ?? '');
}

// A spinner that lost its words to a narrow pane, or one of a kind never seen.
function isUnfinished(activity: Row, patterns: ScreenPatterns): boolean {
  return patterns.activity.test(activity.text) && !patterns.finished.test(activity.text);
}

// The program's own notices stand right above the box, at the right edge.
function withoutNotice(above: readonly Row[]): readonly Row[] {
  const last = above.at(-1);
  return last !== undefined && isNotice(last) ? above.slice(0, -1) : above;
}

const isNotice = (row: Row): boolean => /^ {8,}\S/.test(row.text);

const isIndented = (row: Row): boolean => row.text.startsWith('  ');

function readTail(rows: readonly Row[], patterns: ScreenPatterns): ScreenState | null {
  const lines = rows.map(row => row.text).filter(text => text !== '');
  const last = lines.at(-1) ?? '';
  if (patterns.deadPane.test(last)) return 'exited';
  if (lines.slice(-3).some(line => patterns.suspended.test(line))) return 'shell';
  if (patterns.shellRow.test(last)) return 'shell';
  if (lines.slice(-3).some(line => patterns.resumeHint.test(line))) return 'exited';
  return null;
}
