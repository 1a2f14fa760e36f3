import { expect, test } from 'vitest';
import { ScreenQuestion } from '../../src/protocol/screen.ts';
import { readQuestion } from '../../src/screen/read-question.ts';
import { fixture, fixtures } from './fixtures.ts';

const ASKING = ['permission', 'question', 'plan', 'trust', 'api_key', 'bypass', 'mcp', 'login'];
const asking = fixtures.filter(({ expected, name }) => ASKING.includes(expected.state) && !/^no-key/.test(name));
const silent = fixtures.filter(({ expected }) => !ASKING.includes(expected.state));

test.each(asking)('the question of $name has options, one of them selected', ({ name, text }) => {
  const question = ScreenQuestion.parse(readQuestion(text));
  expect(question.options.filter(option => option.selected)).toHaveLength(1);
  if (!name.includes('.40x12.')) expect(question.title).not.toBe(''); // the smallest pane shows the end only
});

test('a screen without a dialog asks nothing', () => {
  expect(silent.filter(({ text }) => readQuestion(text) !== null).map(({ name }) => name)).toEqual([]);
});

test('a permission question is read word for word', () => {
  expect(readQuestion(fixture('permission-bash.txt').text)).toEqual({
    title: 'Bash command',
    body: [
      'Tip: auto mode handles these prompts for you — choose "switch to auto mode" below',
      'stub command',
      'touch /home/demo/repo/perm.txt',
      'Do you want to proceed?',
    ].join('\n'),
    options: [
      { number: 1, label: 'Yes', selected: true },
      { number: 2, label: 'Yes, and always allow access to /home/demo/repo from this project', selected: false },
      { number: 3, label: 'Yes, and switch to auto mode · auto mode handles these prompts for you', selected: false },
      { number: 4, label: 'No', selected: false },
    ],
    digest: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test('a question keeps its digest when another option is selected, and gets a new one with other words', () => {
  const text = fixture('question.120x40.default.txt').text;
  const moved = fixture('question-second-option.120x40.default.txt').text;
  expect(readQuestion(moved)?.options.map(option => option.selected)).toEqual([false, true, false, false]);
  expect(readQuestion(moved)?.digest).toBe(readQuestion(text)?.digest);
  expect(readQuestion(text.replace('Blue', 'Bluf'))?.digest).not.toBe(readQuestion(text)?.digest);
});

test('a description of an option is not part of its label, and a wrapped label is whole', () => {
  expect(readQuestion(fixture('question.80x24.default.txt').text)?.options.map(({ label }) => label)).toEqual([
    'Red',
    'Blue',
    'Type something.',
    'Chat about this',
  ]);
  const narrow = readQuestion(fixture('permission-edit.40x12.default.txt').text);
  expect(narrow?.options[1]?.label).toBe(
    'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)',
  );
});

test('numbered lines in what is asked about are no options', () => {
  const text = fixture('permission-bash.txt').text.replace(
    'touch /home/demo/repo/perm.txt\n\u001b[38;5;239m',
    '1. Yes\n 2. No\n a 1. Never\n\u001b[38;5;239m',
  );
  expect(text).toContain('Never');
  expect(readQuestion(text)?.body).toContain('Never');
  expect(readQuestion(text)?.options.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});
