// The dialog at the end of the screen, if there is one. A dialog is known by the list of options that ends
// it: what is asked right above, and nothing but its own hints below. So prose that quotes one is none.

import type { ScreenState } from '../protocol/screen.ts';
import type { Row } from './cells.ts';
import { type FoundOption, findOptions } from './find-options.ts';
import type { ScreenPatterns } from './screen-patterns.ts';

export type Dialog = { state: ScreenState; title: string; body: string; options: readonly FoundOption[] };

const OUTER_RULE = /^(?:─{20,}|▔{10,}.*▔)$/;
const ORNAMENT = /^\s*[─╌▔]+(?:.*▔)?\s*$/;
const LEAD_ROWS = 6;

export function findDialog(rows: readonly Row[], patterns: ScreenPatterns): Dialog | null {
  const options = findOptions(rows);
  if (options.length === 0) return null;
  const first = options[0]!.at;
  // Where there is no room for the dialog's rule, it begins above the screen's first row.
  const rule = rows.findLastIndex((row, index) => index < first && OUTER_RULE.test(row.text));
  const before = wordsOf(rows.slice(rule + 1, first));
  const tail = wordsOf(rows.slice(options.at(-1)!.end)).join(' ');
  const lead = before.slice(-LEAD_ROWS).join(' ');
  const [title = '', ...body] = before;
  const found = patterns.dialogs.find(
    spec =>
      (spec.title === undefined || spec.title.test(title)) &&
      (spec.lead === undefined || spec.lead.test(lead)) &&
      (spec.option === undefined || options.some(({ label }) => spec.option!.test(label))) &&
      spec.tail.test(tail),
  );
  return found === undefined ? null : { state: found.state, title, body: body.join('\n'), options };
}

function wordsOf(rows: readonly Row[]): string[] {
  return rows.filter(row => row.text !== '' && !ORNAMENT.test(row.text)).map(row => row.text.trim());
}
