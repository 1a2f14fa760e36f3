// What an agent changed, as lines and as a summary: every text of it cleaned, long ones cut. Pure.

import { isUtf8 } from 'node:buffer';
import { plainText } from '../files/plain-text.ts';
import type { Paint } from '../text/paint.ts';
import { bytesText, counted } from '../text/span-text.ts';
import type { ChangedPlace } from './agent-changes.ts';
import { type DiffLine, diffLines } from './diff-lines.ts';

const MOST_LINES = 400; // of one file
const LONGEST = 500;

export type ChangeSummary = {
  path: string;
  kind: 'new' | 'gone' | 'changed';
  added: number | null; // null: not text, or too large
  removed: number | null;
  was_changed_before: boolean;
};

type Change = ChangedPlace['changes'][number];

export function summaryOf(change: Change): ChangeSummary {
  const lines = linesOf(change);
  const count = (kind: DiffLine['kind']) => (lines === null ? null : lines.filter(line => line.kind === kind).length);
  return {
    path: change.path,
    kind: change.before === null ? 'new' : change.after === null ? 'gone' : 'changed',
    added: count('new'),
    removed: count('gone'),
    was_changed_before: change.wasChanged,
  };
}

export function changeLines(places: readonly ChangedPlace[], paint: Paint): string[] {
  return places.flatMap(({ place, since, changes }) => [
    paint(
      'bold',
      `${safe(place)} since ${since}: ${changes.length === 0 ? 'nothing changed' : counted(changes.length, 'file')}`,
    ),
    ...changes.flatMap(change => fileLines(change, paint)),
  ]);
}

function fileLines(change: Change, paint: Paint): string[] {
  const { kind, added, removed, was_changed_before: wasChanged } = summaryOf(change);
  const size = added === null ? `, not shown (${bytesOf(change)})` : `, +${added} -${removed}`;
  const lines = linesOf(change) ?? [];
  const left = lines.length - MOST_LINES;
  return [
    paint('cyan', `--- ${safe(change.path)} (${kind}${size}${wasChanged ? '; was changed before it began, too' : ''})`),
    ...lines.slice(0, MOST_LINES).map(line => lineText(line, paint)),
    ...(left > 0 ? [paint('dim', `… ${counted(left, 'more line')}`)] : []),
  ];
}

function lineText({ kind, text }: DiffLine, paint: Paint): string {
  if (kind === 'skipped') return paint('dim', '…');
  if (kind === 'same') return ` ${safe(text)}`;
  return kind === 'new' ? paint('green', `+${safe(text)}`) : paint('red', `-${safe(text)}`);
}

// null: nothing to show line by line.
function linesOf({ before, after, isTooLarge }: Change): DiffLine[] | null {
  const isText = (content: Buffer | null) => content === null || (isUtf8(content) && !content.includes(0));
  if (isTooLarge || !isText(before) || !isText(after)) return null;
  return diffLines(before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
}

const safe = (text: string): string => plainText(text, { max: LONGEST });
const bytesOf = ({ before, after, isTooLarge }: Change): string =>
  isTooLarge ? 'too large' : `${bytesText(before?.length ?? 0)} to ${bytesText(after?.length ?? 0)}, not text`;
