// Following a receipts file that grows, is cut, replaced or damaged.

import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Arrival, followReceipts, readReceipts, type TailOptions } from '../../src/receipts/receipt-tail.ts';
import { tempFolder } from '../files/temp-folder.ts';

const LIMIT_MS = 10_000;

const prompt = (text: string) =>
  `${JSON.stringify({ payload: { prompt: text }, event: 'UserPromptSubmit', tool: null, pane: '%1', session_id: 's' })}\n`;
const promptOf = ({ receipt }: Arrival) => (receipt.event === 'UserPromptSubmit' ? receipt.prompt : receipt.event);

function follow(file: string, options: Partial<TailOptions> = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const arrived: Arrival[] = [];
  const damaged: string[] = [];
  const ended = (async () => {
    const tail = followReceipts(file, { signal: stop.signal, onDamaged: line => damaged.push(line), ...options });
    for await (const arrival of tail) arrived.push(arrival);
  })();
  const seen = () => arrived.map(promptOf);
  const until = (texts: string[]) => expect.poll(seen, { timeout: LIMIT_MS, interval: 5 }).toEqual(texts);
  return { arrived, damaged, seen, until, ended, stop };
}

test('receipts come in the order of the file, from one that does not exist yet', async () => {
  const file = path.join(tempFolder(), 'receipts');
  const tail = follow(file);
  appendFileSync(file, prompt('1') + prompt('2'));
  await tail.until(['1', '2']);
  for (const text of ['3', '4', '5']) appendFileSync(file, prompt(text));
  await tail.until(['1', '2', '3', '4', '5']);
});

test('a notice brings a receipt at once, long before the sweep', async () => {
  const file = path.join(tempFolder(), 'receipts');
  const tail = follow(file, { sweepMs: 3_600_000 });
  appendFileSync(file, prompt('1'));
  await tail.until(['1']);
  appendFileSync(file, prompt('2'));
  await tail.until(['1', '2']);
});

test('a receipt in a folder that cannot be watched is found by the sweep', async () => {
  const folder = path.join(tempFolder(), 'later');
  const file = path.join(folder, 'receipts');
  const tail = follow(file, { sweepMs: 20 });
  mkdirSync(folder);
  appendFileSync(file, prompt('1'));
  await tail.until(['1']);
});

test('half a line waits for its other half, even inside a letter', async () => {
  const file = path.join(tempFolder(), 'receipts');
  const tail = follow(file);
  const bytes = Buffer.from(prompt('ü🎉'));
  const cut = bytes.indexOf(Buffer.from('🎉')) + 2;
  writeFileSync(file, Buffer.concat([Buffer.from(prompt('1')), bytes.subarray(0, cut)]));
  await tail.until(['1']);
  appendFileSync(file, bytes.subarray(cut));
  await tail.until(['1', 'ü🎉']);
  expect(tail.damaged).toEqual([]);
});

test('a damaged line is told and the next ones still arrive', async () => {
  const file = path.join(tempFolder(), 'receipts');
  const tail = follow(file);
  appendFileSync(file, `${prompt('1')}{"torn":\n\nnull\n${prompt('2')}`);
  await tail.until(['1', '2']);
  expect(tail.damaged).toEqual(['{"torn":', '', 'null']);
});

test('a file that was cut or replaced is read again from its start', async () => {
  const file = path.join(tempFolder(), 'receipts');
  const tail = follow(file, { sweepMs: 20 });
  appendFileSync(file, prompt('a long first prompt'));
  await tail.until(['a long first prompt']);
  truncateSync(file, 0);
  appendFileSync(file, prompt('2'));
  await tail.until(['a long first prompt', '2']);
  writeFileSync(`${file}.new`, prompt('3') + prompt('a much longer fourth prompt'));
  renameSync(`${file}.new`, file);
  await tail.until(['a long first prompt', '2', '3', 'a much longer fourth prompt']);
});

test('a reader that comes back goes on where it left off', async () => {
  const file = path.join(tempFolder(), 'receipts');
  appendFileSync(file, prompt('1') + prompt('2'));
  const first = await readReceipts(file);
  expect(first.map(promptOf)).toEqual(['1', '2']);
  appendFileSync(file, prompt('3'));
  expect((await readReceipts(file, first[0]!.end)).map(promptOf)).toEqual(['2', '3']);
  const tail = follow(file, { from: first[1]!.end });
  await tail.until(['3']);
});

test('a line of a megabyte, over many blocks, is whole', async () => {
  const file = path.join(tempFolder(), 'receipts');
  const big = 'ä'.repeat(600_000);
  appendFileSync(file, prompt('1') + prompt(big) + prompt('2'));
  expect((await readReceipts(file)).map(promptOf)).toEqual(['1', big, '2']);
});

test('following ends when it is told to', async () => {
  const tail = follow(path.join(tempFolder(), 'receipts'), { sweepMs: 3_600_000 });
  setTimeout(() => tail.stop.abort(), 20);
  await tail.ended;
  expect(tail.seen()).toEqual([]);
});
