// Where a text stops being JSON, and what is refused although JSON.parse would take it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_REQUEST_BYTES, parseJson } from '../../src/request/parse-json.ts';
import { size } from '../test-size.ts';

const runs = size(300, 1000);

function refused(text: string): string {
  const parsed = parseJson(text);
  if (parsed.ok) return 'accepted';
  expect(parsed.problem.cure).not.toBe('');
  return `${parsed.problem.path} | ${parsed.problem.message}`;
}

test.each([
  ['', ' | line 1, column 1: the text is empty'],
  ['\n  \n', ' | line 3, column 1: the text is empty'],
  ['{', ' | line 1, column 2: expected a key in double quotes but found the end of the file'],
  ['{"a": 1', ' | line 1, column 8: expected "," or "}" but found the end of the file'],
  ['{"a": 1,}', ' | line 1, column 8: a comma before "}"'],
  ['{"a": [1,\n2,\n]}', 'a | line 2, column 2: a comma before "]"'],
  ['{"a" 1}', 'a | line 1, column 6: expected ":" after the key "a" but found "1"'],
  ['{a: 1}', ' | line 1, column 2: expected a key in double quotes but found "a"'],
  ["{'a': 1}", ' | line 1, column 2: expected a key in double quotes but found "\'"'],
  ['{"a": \'b\'}', 'a | line 1, column 7: expected a value but found "\'"'],
  ['{"a": 1 "b": 2}', ' | line 1, column 9: expected "," or "}" but found "\\""'],
  ['{"a": True}', 'a | line 1, column 7: expected a value but found "True"'],
  ['{"a": NaN}', 'a | line 1, column 7: expected a value but found "NaN"'],
  ['{"a": undefined}', 'a | line 1, column 7: expected a value but found "undefined"'],
  ['{"a":\r\n  +1}', 'a | line 2, column 3: expected a value but found "+"'],
  ['[01]', '[0] | line 1, column 2: "01" is no number of JSON'],
  ['[1.]', '[0] | line 1, column 2: "1." is no number of JSON'],
  ['[.5]', '[0] | line 1, column 2: expected a value but found "."'],
  ['[0x10]', '[0] | line 1, column 2: "0x10" is no number of JSON'],
  ['[-]', '[0] | line 1, column 2: "-" is no number of JSON'],
  ['[1e]', '[0] | line 1, column 2: "1e" is no number of JSON'],
  ['["a]', '[0] | line 1, column 2: a text that never ends'],
  ['["a\nb"]', '[0] | line 1, column 4: a line break inside a text'],
  ['["a\tb"]', '[0] | line 1, column 4: a control character inside a text'],
  ['["\\x"]', '[0] | line 1, column 3: "\\x" is no escape of JSON'],
  ['["\\u12g4"]', '[0] | line 1, column 3: "\\u" is no escape of JSON'],
  ['{} {}', ' | line 1, column 4: "{" after the end of the JSON value'],
  ['{} // done', ' | line 1, column 4: "/" after the end of the JSON value'],
  ['{ // no\n}', ' | line 1, column 3: expected a key in double quotes but found "/"'],
  ['{"a": 1, "b": {"c": 1, "c": 2}}', 'b.c | line 1, column 24: the key "c" stands here a second time'],
  ['{"a": 1, "\\u0061": 2}', 'a | line 1, column 10: the key "a" stands here a second time'],
  ['{"__proto__": 1}', '__proto__ | line 1, column 2: the key "__proto__" is not allowed'],
  ['{"a": [{"\\u005f_proto__": 1}]}', 'a[0].__proto__ | line 1, column 9: the key "__proto__" is not allowed'],
  ['{"constructor": 1}', 'constructor | line 1, column 2: the key "constructor" is not allowed'],
  ['{"prototype": 1}', 'prototype | line 1, column 2: the key "prototype" is not allowed'],
  ['\ufeff{"a": }', 'a | line 1, column 7: expected a value but found "}"'],
])('%j is refused: %s', (text, expected) => {
  expect(refused(text)).toBe(expected);
});

test('a byte order mark is let pass', () => {
  expect(parseJson('\ufeff{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
});

test('64 levels are read, 65 are refused, a million do no harm', () => {
  expect(parseJson('['.repeat(64) + ']'.repeat(64)).ok).toBe(true);
  expect(refused('['.repeat(65) + ']'.repeat(65))).toMatch(/nested deeper than 64 levels/);
  expect(refused('{"a":'.repeat(1_000_000))).toMatch(/nested deeper than 64 levels/);
});

test('5 MB are read, one byte more is refused, bytes counted and not characters', () => {
  const wrap = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;
  expect(parseJson(wrap(MAX_REQUEST_BYTES)).ok).toBe(true);
  expect(refused(wrap(MAX_REQUEST_BYTES + 1))).toBe(' | larger than 5 MB');
  expect(refused(`"${'€'.repeat(MAX_REQUEST_BYTES / 2)}"`)).toBe(' | larger than 5 MB');
});

test('half a surrogate pair and an escaped NUL are JSON; later checks speak of them', () => {
  expect(parseJson('["\\ud800", "\\u0000"]')).toEqual({ ok: true, value: ['\ud800', '\0'] });
});

// Our own refusals, which JSON.parse does not know. Everything else must agree with it.
const OURS = /stands here a second time|is not allowed|nested deeper|larger than/;

function agrees(text: string): void {
  const parsed = parseJson(text);
  let value: unknown;
  let isJson = true;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    isJson = false;
  }
  if (parsed.ok) expect({ isJson, value }).toEqual({ isJson: true, value: parsed.value });
  else if (isJson) expect(parsed.problem.message).toMatch(OURS);
  else expect(parsed.problem.message).toMatch(/^line \d+, column \d+: /);
}

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '"b":',
  '\\',
  '\\u00',
  '1',
  '-',
  '0',
  '.5',
  'e+',
  'true',
  'null',
];
const soup = fc.array(fc.oneof(fc.constantFrom(...pieces, ' ', '\n', '\t', '\u00a0', '\ufeff', '\0'), fc.string()), {
  maxLength: 20,
});

test('random pieces of JSON are taken exactly when JSON.parse takes them', () => {
  fc.assert(
    fc.property(soup, parts => agrees(parts.join(''))),
    { numRuns: runs },
  );
});

test('JSON with one character changed is taken exactly when JSON.parse takes it', () => {
  const change = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces, ''));
  fc.assert(
    fc.property(change, ([text, at, piece]) => {
      const cut = at % (text.length + 1);
      agrees(text);
      agrees(text.slice(0, cut) + piece + text.slice(cut + 1));
    }),
    { numRuns: runs },
  );
});
