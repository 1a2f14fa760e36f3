import { expect, test } from 'vitest';
import { lastSaid } from '../../src/engine/last-said.ts';

const log = [
  '> Its form: {"status": "success"}',
  'The plan is clear.',
  '* Write /tmp/plan.md',
  '  | 5',
  '  |',
  '',
].join('\n');

test('the last line of a conversation is what the agent said, not its prompt, its tools or their output', () => {
  expect(lastSaid(log, 'claude')).toBe('The plan is clear.');
  expect(lastSaid(log.slice(log.indexOf('* Write')), 'claude')).toBeNull();
  expect(lastSaid('● I look.\n→ Bash ls\n  ↳ a\n    b\n', 'claude-headless')).toBe('● I look.');
});

test('a program of any other kind may begin its lines as it likes', () => {
  expect(lastSaid('> done\n', 'command')).toBe('> done');
  expect(lastSaid('one\rtwo\u001b[2J\n', 'command')).toBe('two');
});
