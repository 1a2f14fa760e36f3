// Whose text stands in the input box: Baton's own, to the letter, or somebody's.

import { expect, test } from 'vitest';
import { boxHolds, isTyped } from '../../src/screen/box-holds.ts';

const LONG = 'one\ntwo\nthree\nfour';
const AT = 1_795_000_000_500;
const typed = (text: string, isShort = true) => ({
  text: isShort ? text : null,
  lines: text.split('\n').length - 1,
  at: AT,
});

test.each([
  ['the whole text', 'go on', 'go on', true],
  ['the whole text, wrapped', 'go\non', 'go on', true],
  ['as many lines as it has', '[Pasted text #3 +3 lines]', LONG, true],
  ['a long line without a number', '[Pasted text #7]', 'x'.repeat(900), true],
  ['another number of lines', '[Pasted text #3 +4 lines]', LONG, false],
  [
    'the long end of it in a small box',
    'a line that is too long for its box',
    `so ${'a line that is too long for its box'}`,
    true,
  ],
  ['a short word that it happens to end with', 'box', 'so a line that is too long for its box', false],
  ['something before it', 'wait: go on', 'go on', false],
  ['something behind it', 'go on, please', 'go on', false],
  ['something before a paste', 'see [Pasted text #3 +3 lines]', LONG, false],
  ['something behind a paste', '[Pasted text #3 +3 lines] and', LONG, false],
  ['two pastes', '[Pasted text #3 +3 lines][Pasted text #4 +3 lines]', LONG, false],
  ['nothing', null, 'go on', false],
])('%s', (_, draft, text, is) => {
  expect(boxHolds(draft, text)).toBe(is);
  expect(isTyped(draft, typed(text), AT / 1000 - 5)).toBe(is);
});

test("a collapsed paste is Baton's only if nobody has pressed a key since", () => {
  const shown = '[Pasted text #3 +3 lines]';
  expect(isTyped(shown, typed(LONG, false), Math.floor(AT / 1000))).toBe(true);
  expect(isTyped(shown, typed(LONG, false), Math.floor(AT / 1000) + 1)).toBe(false);
  expect(isTyped('go on', typed('go on'), Math.floor(AT / 1000) + 60)).toBe(true);
});

test('a text too long to be shown is known by its collapsed form only', () => {
  expect(isTyped(LONG, typed(LONG, false), 0)).toBe(false);
  expect(isTyped(LONG, null, 0)).toBe(false);
});
