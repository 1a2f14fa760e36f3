// How many columns a text takes on a terminal, and cutting it to fit. Expects text without control
// sequences: it counts what is shown.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ASCII = /^[\u0020-\u007e]*$/;
const NOTHING = /^[\p{Mark}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}]+$/u;
const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}\ufe0f|[0-9#*]\ufe0f?\u20e3)/u;

// East Asian Wide and Fullwidth (Unicode 16, joined where only unassigned characters lie between).
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(segment: string): number {
  if (NOTHING.test(segment)) return 0;
  if (EMOJI.test(segment)) return 2;
  const point = segment.codePointAt(0)!;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

// At most `width` columns; what is cut is shown by an ellipsis.
export function fitCells(text: string, width: number): string {
  if (width <= 0) return '';
  if (cellWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = graphemeWidth(segment);
    if (used + next > width - 1) break;
    shown += segment;
    used += next;
  }
  return `${shown}…`;
}

export function padCells(text: string, width: number): string {
  const fitted = fitCells(text, width);
  return fitted + ' '.repeat(Math.max(0, width - cellWidth(fitted)));
}
