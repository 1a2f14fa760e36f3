// The lines of a page within a width. All of them are broken before any is chosen, so that places, the end and what is
// searched for are counted in lines as they are seen. Pure, but for remembering what was broken already.

import { wrapLine } from './wrap-line.ts';

export type PageLine = { text: string; from: number }; // the line of the command that it is (part of)

type Broken = { width: number; count: number; lines: PageLine[] };
const known = new WeakMap<readonly string[], Broken>();

// A page that goes on grows at its end: only what is new is broken.
export function wrapPage(texts: readonly string[], width: number): readonly PageLine[] {
  const before = known.get(texts);
  const broken = before?.width === width && before.count <= texts.length ? before : { width, count: 0, lines: [] };
  for (let from = broken.count; from < texts.length; from += 1) {
    for (const text of wrapLine(texts[from]!, width)) broken.lines.push({ text, from });
  }
  broken.count = texts.length;
  known.set(texts, broken);
  return broken.lines;
}

// Also where the words stand over the break of a line.
export function hasWords(lines: readonly PageLine[], at: number, words: string): boolean {
  const wanted = words.toLowerCase();
  const text = lines[at]!.text.toLowerCase();
  if (text.includes(wanted)) return true;
  const next = lines[at + 1];
  if (next === undefined || next.from !== lines[at]!.from) return false;
  const after = next.text.toLowerCase();
  if (after.includes(wanted)) return false;
  return `${text}${after}`.includes(wanted) || `${text} ${after}`.includes(wanted);
}
