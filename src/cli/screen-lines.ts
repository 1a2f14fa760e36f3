// The reading of a screen in words, for people.

import { plainText } from '../files/plain-text.ts';
import type { ScreenContext, ScreenError, ScreenReading } from '../protocol/screen.ts';

const NAME_WIDTH = 14;

export function screenLines(reading: ScreenReading): string[] {
  const { state, safe_to_type, draft, placeholder, context, error } = reading;
  const rows: [string, string][] = [
    ['state', state],
    ['safe to type', safe_to_type ? 'yes' : 'no'],
    ['draft', draft === null ? 'none' : JSON.stringify(draft)],
    ['placeholder', placeholder ?? 'none'],
    ['context', context === null ? 'unknown' : contextWords(context)],
    ['error', error === null ? 'none' : errorWords(error)],
  ];
  return rows.map(([name, words]) => `${name.padEnd(NAME_WIDTH)}${plainText(words)}`);
}

function contextWords({ tokens, percent, window, is_new, session }: ScreenContext): string {
  if (is_new) return 'new: nothing answered yet';
  const parts = [
    tokens === null ? [] : [`${tokens} tokens`],
    window === null ? [] : [`of ${window}`],
    percent === null ? [] : [`(${percent}%)`],
    session === null ? [] : [`session ${session}`],
  ];
  return parts.flat().join(' ');
}

function errorWords({ kind, message, resets_at, is_retrying }: ScreenError): string {
  const extra = [is_retrying ? ['trying again'] : [], resets_at === null ? [] : [`resets ${resets_at}`]].flat();
  return `${kind}: ${message}${extra.length > 0 ? ` (${extra.join(', ')})` : ''}`;
}
