// When a limit resets, from the words on the screen. What cannot be understood is null.

import { expect, test } from 'vitest';
import { parseReset } from '../../src/conversation/parse-reset.ts';

const NOON = Date.UTC(2026, 10, 18, 12); // a Wednesday
const at = (text: string) => Date.parse(text);
const read = (words: string, now = NOON, here = 'UTC') => parseReset(words, now, here);

test.each([
  ['resets 7pm (UTC)', '2026-11-18T19:00Z'],
  ['resets 7 PM (UTC)', '2026-11-18T19:00Z'],
  ['resets 12pm (UTC)', '2026-11-18T12:00Z'],
  ['resets 12am (UTC)', '2026-11-19T00:00Z'],
  ['resets 12:30am (UTC)', '2026-11-19T00:30Z'],
  ['resets 11:59am (UTC)', '2026-11-19T11:59Z'],
  ['resets 19:05 (UTC)', '2026-11-18T19:05Z'],
  ['resets at 3:30am (Europe/Berlin)', '2026-11-19T02:30Z'],
  ['resets 7pm (America/New_York)', '2026-11-19T00:00Z'],
  ['resets 9am (Asia/Kolkata)', '2026-11-19T03:30Z'],
  ['resets 1am (Pacific/Auckland)', '2026-11-18T12:00Z'],
  ['resets 9am (Asia/Kathmandu)', '2026-11-19T03:15Z'],
  ['resets Nov 20, 3:30am (Europe/Berlin)', '2026-11-20T02:30Z'],
  ['resets November 20 at 3pm (UTC)', '2026-11-20T15:00Z'],
  ['resets Dec 1, 12am (UTC)', '2026-12-01T00:00Z'],
  ['resets Jan 2, 9am (UTC)', '2027-01-02T09:00Z'],
  ['resets Apr 1, 9am (Europe/Berlin)', '2027-04-01T07:00Z'],
  ['resets Nov 18, 11am (UTC)', '2026-11-18T11:00Z'],
  ['resets Nov 17, 11pm (UTC)', '2026-11-17T23:00Z'],
  ['resets in 2h 10m', '2026-11-18T14:10Z'],
  ['resets in 45 minutes', '2026-11-18T12:45Z'],
  ['resets in 1 day 2 hours', '2026-11-19T14:00Z'],
  ['resets in 3d', '2026-11-21T12:00Z'],
  ['resets 6am', '2026-11-19T06:00Z'],
])('%s', (words, moment) => {
  expect(read(words)).toBe(at(moment));
});

test.each([
  '',
  'soon',
  'resets tomorrow',
  'resets 7',
  'resets 25:00 (UTC)',
  'resets 13pm (UTC)',
  'resets 0am (UTC)',
  'resets 7:75pm (UTC)',
  'resets 7pm (Mars/Olympus)',
  'resets Foo 20, 3am (UTC)',
  'resets Feb 30, 3am (UTC)',
  'resets in 5 months',
  'resets in a while',
  'within reach',
])('nobody guesses what this means: %j', words => {
  expect(read(words)).toBeNull();
});

test('a time without a zone is one of this machine', () => {
  expect(read('resets 7pm', NOON, 'America/New_York')).toBe(at('2026-11-19T00:00Z'));
});

test('midnight is the next one, also one second before it and in a zone whose day is another', () => {
  expect(read('resets 12am (UTC)', at('2026-11-18T23:59:59Z'))).toBe(at('2026-11-19T00:00Z'));
  expect(read('resets 12am (America/Los_Angeles)', at('2026-11-19T07:30Z'))).toBe(at('2026-11-19T08:00Z'));
  expect(read('resets 12am (UTC)', at('2026-12-31T20:00Z'))).toBe(at('2027-01-01T00:00Z'));
});

test('the clock change is counted: the night before it, and an hour that comes twice', () => {
  expect(read('resets 9am (Europe/Berlin)', at('2027-03-27T20:00Z'))).toBe(at('2027-03-28T07:00Z'));
  expect(read('resets 9am (Europe/Berlin)', at('2026-10-24T20:00Z'))).toBe(at('2026-10-25T08:00Z'));
  expect(read('resets 1am (Europe/Berlin)', at('2026-10-24T20:00Z'))).toBe(at('2026-10-24T23:00Z'));
  expect([at('2026-10-25T00:30Z'), at('2026-10-25T01:30Z')]).toContain(
    read('resets 2:30am (Europe/Berlin)', at('2026-10-24T20:00Z')),
  );
  // 2:30 does not exist that night.
  expect(read('resets 2:30am (Europe/Berlin)', at('2027-03-27T20:00Z'))).toBeNull();
});
