// The order that a hook hands over, or the watchdog takes back: one of them has it, whatever happens in between.

import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { clearOrder, layOrder, withdrawOrder } from '../../watchdog/orders.ts';
import { tempFolder } from '../files/temp-folder.ts';

const words = { mark: 'h-1/1', sessionId: 's1', text: 'write it\nBaton-Message: h-1/1' };
const place = () => path.join(tempFolder(), 'order');

test('an order has four lines, for its owner only, and each carries the words', async () => {
  const file = place();
  await layOrder(file, words);
  const [name, session, stop, tool] = readFileSync(file, 'utf8').split('\n');
  expect([name, session]).toEqual(['h-1.1', 's1']);
  expect(JSON.parse(stop!)).toEqual({ decision: 'block', reason: words.text });
  expect(JSON.parse(tool!).hookSpecificOutput.additionalContext).toBe(words.text);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('taken back, it is free for the keys, also when it is taken back twice', async () => {
  const file = place();
  await layOrder(file, words);
  expect(await withdrawOrder(file, words.mark)).toBe('free');
  expect(await withdrawOrder(file, words.mark)).toBe('free');
  expect(existsSync(file)).toBe(false);
  await layOrder(file, words); // a restart lays it again: it must not come up a second time
  expect(existsSync(file)).toBe(false);
});

test('what a hook has taken is not taken back, and not laid again', async () => {
  const file = place();
  await layOrder(file, words);
  writeFileSync(`${file}.h-1.1`, '');
  expect(await withdrawOrder(file, words.mark)).toBe('taken');
  await layOrder(file, words);
  expect(existsSync(file)).toBe(false);
});

test('an order that was never laid is free, and leaves nothing behind', async () => {
  const file = place();
  expect(await withdrawOrder(file, words.mark)).toBe('free');
  await clearOrder(file);
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

test('the end of a handoff takes back what is laid; old claims go with the next order', async () => {
  const file = place();
  await layOrder(file, words);
  await clearOrder(file);
  expect(readFileSync(`${file}.h-1.1`, 'utf8')).toBe('withdrawn\n');
  utimesSync(`${file}.h-1.1`, 0, 0);
  await layOrder(file, { ...words, mark: 'h-2/1' });
  expect(readdirSync(path.dirname(file))).toEqual(['order']);
});
