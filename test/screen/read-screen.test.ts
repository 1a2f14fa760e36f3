import { expect, test } from 'vitest';
import { ScreenReading, ScreenState } from '../../src/protocol/screen.ts';
import { readScreen } from '../../src/screen/read-screen.ts';
import { expectedNames, fixture, fixtureNames, fixtures } from './fixtures.ts';

const FINE = fixture('after-turn.txt');

test.each(ScreenState.options)('every screen that is %s is read as what it is', state => {
  const meant = fixtures.filter(({ expected }) => expected.state === state);
  expect(meant.length).toBeGreaterThan(7);
  for (const { name, text, expected } of meant) {
    const { draft, placeholder, context, error, ...rest } = ScreenReading.parse(readScreen(text));
    const found = { ...rest, draft, placeholder, tokens: context?.tokens ?? null, error: error?.kind ?? null };
    expect(found, name).toEqual(expected);
  }
});

test('every captured screen has an expectation, and every expectation a screen', () => {
  expect(expectedNames.toSorted()).toEqual(fixtureNames.toSorted());
});

test('the screen of another size than the pane is never safe', () => {
  expect(readScreen(FINE.text, { width: 120, height: 40 }).safe_to_type).toBe(true);
  expect(readScreen(FINE.text, { width: 119, height: 40 }).safe_to_type).toBe(false);
  expect(readScreen(FINE.text, { width: 120, height: 39 }).safe_to_type).toBe(false);
});

test.each(['', '\n', '\u001b', '\u001b[', ' \n'.repeat(50), '\u0000\u001b]0;title\u0007'])(
  'a capture without anything in it (%j) is unknown',
  text => {
    expect(readScreen(text)).toMatchObject({ state: 'unknown', safe_to_type: false, draft: null, context: null });
  },
);

test('an idle screen without its escapes proves nothing', () => {
  const bare = FINE.text.replace(/\u001b\[[0-9;]*m/g, '');
  expect(readScreen(bare)).toMatchObject({ state: 'unknown', safe_to_type: false });
});

test('an idle screen that a shell or a pager shows is not taken for Claude Code', () => {
  const shown = FINE.text.replace(/\n+$/, '');
  expect(readScreen(`$ cat capture.txt\n${shown}\n\u001b[0m$ `)).toMatchObject({ state: 'shell', safe_to_type: false });
  expect(readScreen(`${shown}\n\u001b[0m\u001b[7mcapture.txt (END)`).safe_to_type).toBe(false);
  expect(readScreen(`${shown}\n\u001b[0m:`).safe_to_type).toBe(false);
});

// No account here can reach a limit: these are the program's own words, put where it puts such words.
test.each([
  ["You've hit your session limit · resets 7pm (UTC)", '7pm (UTC)'],
  ["You've hit your weekly limit · resets Nov 20, 3am", 'Nov 20, 3am'],
  ['Usage limit reached · resets at 19:00', '19:00'],
  ['Usage limit reached', null],
])('a usage limit is told with its reset: %s', (words, resets) => {
  const limit = fixture('api-error-401.txt').text.replace('Invalid API key · Fix external API key', words);
  const { error, state } = readScreen(limit);
  expect(error).toEqual({ kind: 'usage_limit', message: words, resets_at: resets, is_retrying: false });
  expect(state).toBe('idle');
});

test('the same words from the model are no error, though they are the last it said', () => {
  const last = FINE.text.replace(/\n[^\n]*Brewed for 0s[^\n]*/, '\n');
  const said = (words: string) => readScreen(last.replace('STUB_OK hello one len=9', words));
  expect(said('API Error: 500 Internal server error.')).toMatchObject({ state: 'idle', error: null });
  expect(said("You've hit your session limit · resets 7pm").error).toBeNull();
});

// The survey cannot be brought up without talking to the outside: its words are those of the program.
test('a survey above the box takes the next digit, so it is not safe to type', () => {
  const rows = FINE.text.split('\n');
  const top = rows.findLastIndex(row => row.includes('❯\u00a0')) - 1;
  const survey = ['● How is Claude doing this session? (optional)', '  1: Bad    2: Fine   3: Good   0: Dismiss', ''];
  expect(readScreen(rows.toSpliced(top, 0, ...survey).join('\n'))).toMatchObject({
    state: 'unknown',
    safe_to_type: false,
  });
});

test('a row of the spinner that is cut off is not taken for a finished turn', () => {
  expect(readScreen(FINE.text.replace('Brewed for 0s · done 5:22 AM', 'API error · retryi'))).toMatchObject({
    state: 'unknown',
    safe_to_type: false,
  });
});

// Nothing on the screen tells NORMAL mode in an empty box from no vim at all: this is why our own settings
// switch vim off. Should a version show it one day, this fails, and the reader can learn it.
test('the NORMAL mode of vim leaves no trace on the screen', () => {
  const rowsOf = (name: string) => fixture(name).text.replace(/\n+$/, '').split('\n').slice(-4);
  expect(rowsOf('vim-normal.120x40.fullscreen.txt').map(shownOf)).toEqual(
    rowsOf('idle-new.120x40.fullscreen.txt').map(shownOf),
  );
});

const shownOf = (row: string): string => row.replace(/\u001b\[(?:0|39|49|38;5;\d+)m/g, '').trimEnd();
