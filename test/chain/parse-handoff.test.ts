import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHandoff } from '../../src/chain/parse-handoff.ts';

const long = 'x'.repeat(500_000);

test.each([
  ['nothing at all', null],
  ['nothing said', undefined],
  ['an empty text', ''],
  ['plain words', 'I did the work. The handoff went well.'],
  ['the word in a sentence', 'I will write a ## HANDOFF section later.'],
  ['complete in a sentence', 'When done I write HANDOFF: COMPLETE at the end.'],
  ['complete in quotes', 'The last line must be\n`HANDOFF: COMPLETE`.'],
  ['a file of that name', '## HANDOFF.md\nwas changed'],
  ['a longer word', '## HANDOFFS\nseveral'],
  ['another heading', '## Summary\nall fine'],
])('finds no handoff in %s', (_what, text) => {
  expect(parseHandoff(text)).toBeNull();
});

test.each([
  ['a section', 'Words.\n\n## HANDOFF\nDone: a\nLeft: b', 'Done: a\nLeft: b'],
  ['lower case', '## handoff\nrest', 'rest'],
  ['mixed case', '##   HandOff\nrest', 'rest'],
  ['subsections', '## HANDOFF\n### Done\na\n### Left\nb', '### Done\na\n### Left\nb'],
  ['no subsections and one line', '## HANDOFF: go on with b', 'go on with b'],
  ['emphasis', '## **HANDOFF**\nb', 'b'],
  ['a following section, which is left out', '## HANDOFF\nb\n\n## Other\nc', 'b'],
  ['a title over sections of the same level', '## HANDOFF\n\n## Done\na\n## Left\nb', '## Done\na\n## Left\nb'],
  ['Windows line ends', 'x\r\n## HANDOFF\r\na\r\nb', 'a\nb'],
  ['a very long output before it', `${long}\n## HANDOFF\nb`, 'b'],
  ['several handoffs, of which the last counts', '## HANDOFF\nold\n\n## HANDOFF\nnew', 'new'],
  ['a section in a code fence, when there is no other', 'Here:\n```md\n## HANDOFF\nb\n```\nBye.', 'b'],
  [
    'a code block inside the section',
    '## HANDOFF\nrun\n```sh\n## not a heading\n```\nend',
    'run\n```sh\n## not a heading\n```\nend',
  ],
  ['an incomplete word', '## HANDOFF\nHANDOFF: COMPLETE except the tests', 'HANDOFF: COMPLETE except the tests'],
  ['another status', '## HANDOFF: INCOMPLETE', 'INCOMPLETE'],
])('reads %s as unfinished work', (_what, text, body) => {
  expect(parseHandoff(text)).toEqual({ isComplete: false, body });
});

test('a quoted section in a code fence does not hide the real one before it', () => {
  const text = '## HANDOFF\nreal\n\n### Rule\n```md\n## HANDOFF\nquoted\n```';
  expect(parseHandoff(text)?.body).toContain('real');
});

test.each([
  ['as a heading', '## HANDOFF: COMPLETE'],
  ['as a line of its own', 'All done.\n\nHANDOFF: COMPLETE'],
  ['in lower case', 'handoff: complete'],
  ['without a space', 'HANDOFF:COMPLETE'],
  ['with emphasis', '**HANDOFF: COMPLETE**'],
  ['with a full stop', 'HANDOFF: COMPLETE.'],
  ['with words after a dash', 'HANDOFF: COMPLETE - all tests pass'],
  ['inside a section', '## HANDOFF\nEverything is in place.\nHANDOFF: COMPLETE'],
  ['after an earlier unfinished section', '## HANDOFF\nleft: b\n\nMore work.\n\n## HANDOFF: COMPLETE'],
])('recognises COMPLETE %s', (_how, text) => {
  expect(parseHandoff(text)?.isComplete).toBe(true);
});

test('an unfinished section after COMPLETE takes it back', () => {
  expect(parseHandoff('HANDOFF: COMPLETE\n\nOh no.\n\n## HANDOFF\nfix b')).toEqual({
    isComplete: false,
    body: 'fix b',
  });
});

test('any text is read without a throw and in time', () => {
  const words = fc.constantFrom('## HANDOFF', 'HANDOFF: COMPLETE', '```', '~~~', '## x', ' ', '\n', '\r\n', '*', 'a');
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }), parts => {
      const found = parseHandoff(parts.join('\n'));
      expect(found === null || typeof found.body === 'string').toBe(true);
    }),
  );
  const start = performance.now();
  parseHandoff(`${'#'.repeat(100_000)}\n${' '.repeat(100_000)}\n${'HANDOFF'.repeat(20_000)}\n${'*'.repeat(100_000)}`);
  expect(performance.now() - start).toBeLessThan(1000);
});
