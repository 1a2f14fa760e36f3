// The captured screens, and what each of them is: EXPECTED.json was written by a person who looked.

import { readdirSync, readFileSync } from 'node:fs';
import type { ScreenErrorKind, ScreenState } from '../../src/protocol/screen.ts';
import type { Size } from '../../src/screen/cells.ts';

export type Expected = {
  state: ScreenState;
  safe_to_type: boolean;
  draft: string | null;
  placeholder: string | null;
  tokens: number | null;
  error: ScreenErrorKind | null;
};
export type Fixture = { name: string; text: string; expected: Expected; size: Size };

const folder = new URL('../fixtures/screens/2.1.326/', import.meta.url);
const expectations = JSON.parse(readFileSync(new URL('EXPECTED.json', folder), 'utf8')) as Record<string, Expected>;

export const fixtureNames = readdirSync(folder).filter(name => name.endsWith('.txt'));
export const expectedNames = Object.keys(expectations);

export const fixtures: Fixture[] = expectedNames.map(name => {
  const text = readFileSync(new URL(name, folder), 'utf8');
  return { name, text, expected: expectations[name]!, size: sizeOf(text) };
});

export const fixture = (name: string): Fixture => {
  const found = fixtures.find(one => one.name === name);
  if (found === undefined) throw new Error(`there is no fixture ${name}`);
  return found;
};

// A capture has all rows of its pane; the widest rule has its width.
function sizeOf(text: string): Size {
  const rows = text.replace(/\n$/, '').split('\n');
  const rules = rows.map(row => (row.match(/[─╌▔]+/g) ?? []).reduce((most, rule) => Math.max(most, rule.length), 0));
  const widest = Math.max(...rules);
  const width = [200, 120, 80, 40].find(known => widest === known) ?? Math.max(widest, 1);
  return { width, height: rows.length };
}
