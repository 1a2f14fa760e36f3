// Finds the input box: rule, prompt rows, rule, and what stands below. Only the last two rules of the screen
// can be it; a box drawn in the conversation is indented, or has rows of the conversation below it.

import type { Cell, Row, Size } from './cells.ts';
import type { ScreenPatterns } from './screen-patterns.ts';

export type Box = {
  top: number; // index of the upper rule
  bottom: number; // index of the lower rule
  mark: 'prompt' | 'shell';
  isLit: boolean; // the mark has the terminal's own colour: no turn is under way
  hasCursor: boolean;
  isEmpty: boolean;
  draft: string | null;
  placeholder: string | null;
  below: readonly Row[]; // rows below the lower rule that are not blank
};

const SHORTEST_RULE = 20;
const RULE = /^─+$/;
const NAMED_RULE = /^─{5,} [^─]+ ──?$/; // the upper rule carries the session's name
const NO_COLUMN = /[\p{Mark}\p{Format}]/gu;
const INDENT = 2;

export function findBox(rows: readonly Row[], patterns: ScreenPatterns, size?: Size): Box | null {
  const bottom = rows.findLastIndex(row => RULE.test(row.text));
  const top = rows.findLastIndex((row, at) => at < bottom && (RULE.test(row.text) || NAMED_RULE.test(row.text)));
  if (top < 0 || bottom - top < 2) return null;
  const width = rows[bottom]!.text.length;
  if (width < SHORTEST_RULE || rows[top]!.text.length !== width) return null;
  if (size !== undefined && (size.width !== width || rows.length > size.height)) return null;
  // A row that is longer than the rules was drawn at another width: the box is a leftover.
  if (rows.some(row => [...row.text.replace(NO_COLUMN, '')].length > width)) return null;
  const inside = rows.slice(top + 1, bottom);
  const [first, ...more] = inside;
  const mark = first!.cells[0];
  if (mark === undefined || first!.cells[1]?.char !== '\u00a0') return null;
  if (mark.char !== patterns.prompt && mark.char !== patterns.shellPrompt) return null;
  if (mark.inverse || more.some(row => row.text.slice(0, INDENT).trim() !== '')) return null;
  return {
    top,
    bottom,
    mark: mark.char === patterns.prompt ? 'prompt' : 'shell',
    isLit: mark.fg === '' && mark.bg === '' && !mark.dim,
    ...readContent(inside, cursorIn(size, top, bottom)),
    below: rows.slice(bottom + 1).filter(row => row.text !== ''),
  };
}

// A session that is told it lost the focus draws no cursor; the terminal's own, hidden one still stands in the box.
type Place = 'start' | 'inside' | 'elsewhere';
function cursorIn(size: Size | undefined, top: number, bottom: number): Place {
  const { x, y } = size?.cursor ?? { x: -1, y: -1 };
  if (y <= top || y >= bottom || x < INDENT) return 'elsewhere';
  return y === top + 1 && x === INDENT ? 'start' : 'inside';
}

type Content = Pick<Box, 'hasCursor' | 'isEmpty' | 'draft' | 'placeholder'>;

function readContent(inside: readonly Row[], place: Place): Content {
  const lines = inside.map(row => row.cells.slice(INDENT));
  const cells = lines.flat();
  const cursors = cells.filter(cell => cell.inverse);
  const isUndrawn = cursors.length === 0 && place !== 'elsewhere';
  const hasCursor = cursors.length === 1 || isUndrawn;
  const first = lines[0]![0];
  const isAtStart = first?.inverse === true || (isUndrawn && place === 'start');
  const nothing = { hasCursor, isEmpty: false, draft: null, placeholder: null };
  const isBlank = cells.every(cell => cell.char.trim() === '');
  if (isBlank) {
    // Blanks before the cursor were typed by somebody.
    const isEmpty = inside.length === 1 && hasCursor && isAtStart;
    return isEmpty || cells.length === 0 ? { ...nothing, isEmpty } : { ...nothing, draft: wordsOf(lines) };
  }
  const rest = cells.slice(1).filter(cell => cell.char.trim() !== '');
  const isPlaceholder = isAtStart && first!.char.trim() !== '' && rest.length > 0 && (first!.inverse || first!.dim);
  if (isPlaceholder && rest.every(cell => cell.dim)) {
    return { ...nothing, isEmpty: hasCursor, placeholder: wordsOf(lines).replaceAll('\n', ' ') };
  }
  // What is dim behind a draft is offered by the program, not typed.
  return { ...nothing, draft: wordsOf(lines.map(line => line.filter(cell => !cell.dim))) };
}

function wordsOf(lines: readonly (readonly Cell[])[]): string {
  const texts = lines.map(line => {
    const end = line.at(-1);
    const shown = end?.inverse && end.char === ' ' ? line.slice(0, -1) : line; // the cursor behind the text
    return shown.map(cell => cell.char).join('');
  });
  return texts.join('\n');
}
