import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { jsonText } from '../../src/cli/json-text.ts';
import { makeLogLines } from '../../src/cli/log-lines.ts';
import { longestChain } from '../../src/cli/longest-chain.ts';
import { onInterrupt } from '../../src/cli/on-interrupt.ts';
import { shellText } from '../../src/cli/shell-text.ts';
import { choosePaint, colourful, colourless } from '../../src/text/paint.ts';
import { bytesText, spanText } from '../../src/text/span-text.ts';

test.each([
  [0, '0:00'],
  [65_400, '1:05'],
  [3_661_000, '1:01:01'],
  [-5, '0:00'],
  [500 * 3_600_000, '20d'],
])('%i ms are %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 KB'],
  [2_000_000_000, '2.0 GB'],
  [85_400_000_000, '85 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('colours need a terminal and no NO_COLOR', () => {
  expect(choosePaint(true, {})).toBe(colourful);
  expect(choosePaint(true, { NO_COLOR: '1' })).toBe(colourless);
  expect(choosePaint(true, { NO_COLOR: '' })).toBe(colourful);
  expect(choosePaint(true, { TERM: 'dumb' })).toBe(colourless);
  expect(choosePaint(false, {})).toBe(colourless);
});

test('a log arrives in any pieces and comes out in whole, harmless lines', () => {
  const bytes = Buffer.from('ein Gruß 漢字\n10%\r20%\r\n\u001b[31mred\u001b[0m\nrest');
  for (let size = 1; size < bytes.length; size += 1) {
    const log = makeLogLines();
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size) lines.push(...log.add(bytes.subarray(at, at + size)));
    expect([...lines, ...log.end()]).toEqual(['ein Gruß 漢字', '20%', 'red', 'rest']);
  }
});

test('a line that never ends is shown in pieces', () => {
  const log = makeLogLines();
  expect(log.add(Buffer.from('x'.repeat(100_000)))).toEqual(['x'.repeat(100_000)]);
  expect(log.end()).toEqual([]);
});

test('JSON means the same and holds nothing a terminal obeys', () => {
  const value = { text: '\u009b31m\u202eevil\u2028 漢字 \u001b[2J' };
  expect(JSON.parse(jsonText(value))).toEqual(value);
  expect(jsonText(value)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202a-\u202e]/);
});

test('a printed command survives a shell', () => {
  const words = ['tmux', '-t', '=name', "it's", 'a b', '$HOME', '`x`', ''];
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${shellText(words)}`], { encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual(words);
});

test('the longest chain counts agents, not steps', () => {
  const toAgent = (agent_name: string, ...dependencies: string[]) => ({ agent_name, dependencies });
  expect(longestChain([toAgent('a'), toAgent('b', 'a'), toAgent('c', 'a'), toAgent('d', 'b', 'c'), toAgent('e')])).toBe(
    3,
  );
  expect(longestChain([toAgent('a')])).toBe(1);
});

test('one press that arrives twice is one; a second press is another', () => {
  let now = 0;
  const told: string[] = [];
  const unlisten = onInterrupt(
    () => told.push('first'),
    () => told.push('second'),
    () => now,
  );
  process.emit('SIGINT');
  now = 20;
  process.emit('SIGINT');
  expect(told).toEqual(['first']);
  now = 1000;
  process.emit('SIGINT');
  expect(told).toEqual(['first', 'second']);
  unlisten();
  expect(process.listenerCount('SIGINT')).toBe(0);
});
