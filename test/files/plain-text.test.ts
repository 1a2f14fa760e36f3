import { expect, test } from 'vitest';
import { plainText } from '../../src/files/plain-text.ts';

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['a private CSI', 'a\x1b[?2004hb', 'ab'],
  ['a CSI in one C1 character', 'a\x9b31mb', 'ab'],
  ['a CSI cut off at the end', 'a\x1b[31', 'a'],
  ['OSC 52 with BEL', 'a\x1b]52;c;cm0gLXJm\x07b', 'ab'],
  ['OSC 52 with ST', 'a\x1b]52;c;cm0gLXJm\x1b\\b', 'ab'],
  ['OSC 52 in C1', 'a\x9d52;c;cm0gLXJm\x9cb', 'ab'],
  ['OSC 52 with a line break inside', 'a\x1b]52;c;cm0g\nLXJm\x07b', 'ab'],
  ['OSC 8', '\x1b]8;;https://evil\x1b\\click\x1b]8;;\x1b\\', 'click'],
  ['a window title', '\x1b]0;title\x07text', 'text'],
  ['DCS', 'a\x1bP1$r0m\x1b\\b', 'ab'],
  ['OSC 52 wrapped for tmux', 'a\x1bPtmux;\x1b\x1b]52;c;cm0g\x07\x1b\\b', 'ab'],
  ['APC, PM and SOS', 'a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d', 'abcd'],
  ['a charset escape', 'a\x1b(Bb\x1b=c\x1b7d', 'abcd'],
  ['a lone ESC', 'a\x1b', 'a'],
  ['an ESC before an ESC', 'a\x1b\x1b[31mb', 'ab'],
  ['C0 and DEL', 'a\x00\x07\x08\x0b\x0c\x7fb', 'ab'],
  ['C1', 'a\x80\x84\x85\x8db', 'ab'],
  ['bidi overrides', 'a\u202e\u2066txt\u2069\u200f\u061cb', 'atxtb'],
  ['zero width', 'a\u200b\u200c\u200d\u2060\ufeff\u00adb', 'ab'],
  ['tags', `a${String.fromCodePoint(0xe0041, 0xe007f)}b`, 'ab'],
  ['variation selectors', `a\ufe0f${String.fromCodePoint(0xe0101)}b`, 'ab'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['tabs', 'a\tb', 'a  b'],
  ['line breaks', 'a\nb\r\nc\rd\u2028e', 'a b c d e'],
  ['ordinary text of the world', 'Grüße 日本 🎉 é', 'Grüße 日本 🎉 é'],
])('%s', (_, given, expected) => {
  expect(plainText(given)).toBe(expected);
});

test('line breaks stay when asked for, and an unfinished sequence hides no later line', () => {
  expect(plainText('a\r\nb\x1b[0m\nc', { keepNewlines: true })).toBe('a\nb\nc');
  expect(plainText('a\x1b]0;never ended\nimportant', { keepNewlines: true })).toBe('a\nimportant');
});

test('the length is capped by whole characters', () => {
  expect(plainText('abcdef', { max: 4 })).toBe('abc…');
  expect(plainText('abcd', { max: 4 })).toBe('abcd');
  expect(plainText('🎉🎉🎉🎉', { max: 4 })).toBe('🎉🎉🎉🎉');
  expect(plainText('🎉🎉🎉🎉🎉', { max: 4 })).toBe('🎉🎉🎉…');
  expect(plainText('ab', { max: 1 })).toBe('…');
  expect(plainText('ab', { max: 0 })).toBe('');
});

test('taking something out never puts a new sequence together', () => {
  for (const hidden of ['\u200b', '\x00', '\u202e', '\x1b[0m', '\x9d0;x\x07']) {
    for (const start of [`\x1b${hidden}]52;c;x\x07`, `\x1b${hidden}[31m`, `\x1b${hidden}\x1b[31m`]) {
      expect(plainText(start)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }
  }
});

test.each([
  ['a plain line', 'x'.repeat(1_000_000)],
  ['unfinished OSC', '\x1b]'.repeat(500_000)],
  ['unfinished OSC in C1', '\x9d'.repeat(1_000_000)],
  ['unfinished CSI', `\x1b[${'1;'.repeat(500_000)}`],
  ['ESC only', '\x1b'.repeat(1_000_000)],
  ['one OSC with a long payload', `\x1b]52;c;${'A'.repeat(1_000_000)}`],
  ['many intermediates', `\x1b${' '.repeat(1_000_000)}`],
  ['surrogates', '\ud800'.repeat(1_000_000)],
])('a million characters of %s take well under a second', (_, given) => {
  const before = performance.now();
  const shown = plainText(given, { max: 200 });
  expect(performance.now() - before).toBeLessThan(600);
  expect([...shown].length).toBeLessThanOrEqual(200);
});
