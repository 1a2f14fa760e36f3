// Rules that answer permission prompts, and ways to get around them.

import { expect, test } from 'vitest';
import { ruleOn } from '../../src/conversation/permission-rules.ts';

const bash = (command: string, rules: { allow?: string[]; deny?: string[] }) =>
  ruleOn({ tool: 'Bash', input: { command } }, { allow: [], deny: [], ...rules })?.answer ?? 'asks';
const allow = ['Bash(git add *)', 'Bash(git commit:*)', 'Bash(npm test)'];

test.each([
  'git add x',
  'git add .',
  'git add',
  'git commit -m "a b"',
  'git commit',
  'npm test',
  'git add x && git commit -m y',
  'git add x; npm test',
])('allowed: %s', command => {
  expect(bash(command, { allow })).toBe('allow');
});

test.each([
  'git add x && rm -rf /',
  'git add x || rm -rf /',
  'git add x; rm -rf /',
  'git add x;rm -rf /',
  'git add x & rm -rf /',
  'git add x | sh',
  'git add x |& sh',
  'git add $(rm -rf /)',
  'git add `rm -rf /`',
  'git add "$(rm -rf /)"',
  'git add $\u007bx:-$(id)}',
  'git add x\nrm -rf /',
  'git add x\r\nrm -rf /',
  'git add x \\\n; rm -rf /',
  'git add <(rm -rf /)',
  'git add x > /etc/passwd',
  'git add x >> ~/.bashrc',
  'git add x < /etc/shadow',
  'rm -rf / # git add x',
  'git addx',
  'xgit add x',
  'sudo git add x',
  'FOO=1 git add x',
  '(git add x)',
  'npm test x',
  'npm  test',
  '',
])('not allowed by a rule for git add: %j', command => {
  expect(bash(command, { allow })).toBe('asks');
});

test('a rule for the whole tool allows anything that nothing forbids', () => {
  expect(bash('git add x && rm -rf "$(pwd)"', { allow: ['Bash'] })).toBe('allow');
  expect(ruleOn({ tool: 'WebFetch', input: { url: 'https://x' } }, { allow: ['Bash'], deny: [] })).toBeNull();
});

test.each([
  'rm -rf /',
  'rm',
  'git add x && rm -rf /',
  'git add x\nrm -rf /',
  'echo $(rm -rf /)',
  'echo `rm -rf /`',
  '(rm -rf /)',
  'X=1 Y=2 rm -rf /',
  '{ rm -rf /; }',
  '! rm -rf /',
])('forbidden wherever it stands, although the whole tool is allowed: %j', command => {
  expect(bash(command, { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('deny');
});

test.each(["r''m -rf /", 'r\\m -rf /', 'rm$IFS-rf$IFS/', '$R -rf /', 'cat <<< x'])(
  'where something forbidden may be hidden, a person is asked: %j',
  command => {
    expect(bash(command, { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('asks');
  },
);

test('deny is stronger than allow, and its rule is told', () => {
  const asked = { tool: 'Bash', input: { command: 'git push' } };
  expect(ruleOn(asked, { allow: ['Bash(git *)'], deny: ['Bash(git push*)'] })).toEqual({
    answer: 'deny',
    rule: 'Bash(git push*)',
  });
});

test('a path is judged by where it leads', () => {
  const rules = { allow: ['Write(/w/out/*)'], deny: ['Write(/etc/*)'] };
  const write = (file_path: string) => ruleOn({ tool: 'Write', input: { file_path } }, rules)?.answer ?? 'asks';
  expect(write('/w/out/a.md')).toBe('allow');
  expect(write('/w/out/../secret')).toBe('asks');
  expect(write('/w/out/../../etc/passwd')).toBe('deny');
  expect(write('/w/outside')).toBe('asks');
  expect(ruleOn({ tool: 'Edit', input: { file_path: '/w/out/a' } }, rules)).toBeNull();
});

test('a pattern is text but for its star, and an unreadable rule fits nothing', () => {
  expect(bash('npm_test', { allow: ['Bash(npm.test)'] })).toBe('asks');
  expect(bash('a', { allow: ['Bash([a-z])'] })).toBe('asks');
  expect(bash('ls', { allow: ['Bash(ls', '(ls)', '', 'Bash ls'] })).toBe('asks');
  expect(
    ruleOn({ tool: 'WebFetch', input: { url: 'https://a.org/x' } }, { allow: ['WebFetch(https://a.org/*)'], deny: [] }),
  ).toMatchObject({ answer: 'allow' });
});

test('an input that is not what the tool takes is not allowed by a pattern', () => {
  expect(ruleOn({ tool: 'Bash', input: { command: ['git add x'] } }, { allow, deny: [] })).toBeNull();
  expect(ruleOn({ tool: 'Write', input: {} }, { allow: ['Write(/w/*)'], deny: [] })).toBeNull();
});
