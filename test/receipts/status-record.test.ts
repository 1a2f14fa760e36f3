// The pane's record, as its reader sees it.

import { execFile } from 'node:child_process';
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readStatusRecord } from '../../src/receipts/read-status-record.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { newContext, SESSION, statusPayload, usedContext } from './payloads.ts';
import { scripts } from './run-script.ts';

function recordOf(text: string): string {
  const file = path.join(tempFolder(), 'record');
  writeFileSync(file, text);
  return file;
}

test('the record carries tokens, window, share, cost, session, model and when it was written', async () => {
  const file = recordOf(statusPayload());
  utimesSync(file, 1_800_000_000, 1_800_000_000);
  expect(await readStatusRecord(file)).toEqual({
    tokens: 45_203,
    window: 200_000,
    percent: 23,
    cost_usd: 0.0104,
    session_id: SESSION,
    transcript_path: expect.stringContaining(`${SESSION}.jsonl`),
    model: 'claude-opus-5-5',
    version: '2.1.326',
    rate_limits: null,
    read_at: 1_800_000_000_000,
  });
});

test('before the first reply the tokens are unknown, not zero', async () => {
  const record = await readStatusRecord(recordOf(statusPayload(newContext)));
  expect(record).toMatchObject({ tokens: null, percent: null, window: 200_000, session_id: SESSION });
});

test('rate limits are read where the account has them', async () => {
  const rate_limits = { five_hour: { used_percentage: 81.5, resets_at: 1_795_000_000 } };
  expect((await readStatusRecord(recordOf(statusPayload(usedContext, { rate_limits }))))?.rate_limits).toEqual(
    rate_limits,
  );
});

test('fields of an unexpected kind are unknown, and the rest is still read', async () => {
  const odd = { ...usedContext, context_window_size: '1M', used_percentage: -1 };
  const record = await readStatusRecord(recordOf(statusPayload(odd, { model: 5, cost: null, rate_limits: [1] })));
  expect(record).toMatchObject({
    tokens: 45_203,
    window: null,
    percent: null,
    model: null,
    cost_usd: null,
    rate_limits: null,
  });
});

test('a missing, empty, torn or foreign record is no record', async () => {
  expect(await readStatusRecord(path.join(tempFolder(), 'none'))).toBeNull();
  for (const text of ['', statusPayload().slice(0, 400), 'x\n', '{"model":{}}\n'])
    expect(await readStatusRecord(recordOf(text))).toBeNull();
});

test('a look at a record that is not written yet is repeated', async () => {
  const file = recordOf('');
  const reading = readStatusRecord(file);
  setTimeout(() => appendFileSync(file, statusPayload()), 2);
  expect((await reading)?.tokens).toBe(45_203);
});

test('while the status line runs again and again, every reading is a whole one', async () => {
  const file = recordOf(statusPayload());
  const short = { ...usedContext, total_input_tokens: 7, used_percentage: 0 };
  writeFileSync(`${file}.long`, statusPayload());
  writeFileSync(`${file}.short`, statusPayload(short));
  const once = (name: string) => `/bin/sh '${scripts}/status-line.sh' < '${file}.${name}' >/dev/null`;
  const loop = `i=0; while [ $i -lt 100 ]; do ${once('short')}; ${once('long')}; i=$((i+1)); done`;
  const env = { BATON_STATUS_RECORD: file };
  let isOver = false;
  const writing = promisify(execFile)('/bin/sh', ['-c', loop], { env }).finally(() => {
    isOver = true;
  });
  const seen = new Set<unknown>();
  while (!isOver) {
    const record = await readStatusRecord(file);
    seen.add(`${record?.tokens} ${record?.percent}`);
    await new Promise(setImmediate);
  }
  await writing;
  expect([...seen].toSorted(), [...seen].join()).toEqual(['45203 23', '7 0']);
});

test('what a longer old record left behind the new one is not read', async () => {
  const file = recordOf(`${statusPayload(newContext)}${statusPayload().slice(300)}`);
  expect(await readStatusRecord(file)).toMatchObject({ tokens: null, session_id: SESSION });
});
