// The journal on a real disk: whole lines come back, a torn last one does not, a changed one is refused.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/protocol/handoff.ts';
import { openJournal } from '../../watchdog/journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-journal-'));
  file = path.join(folder, 'deep', 'h1.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (n: number): JournalEntry => ({
  version: 1,
  n,
  at: n,
  kind: 'step',
  state: { name: 'quiet', note: 'ä\u2028' },
  effects: [{ do: 'hold' }],
  outcome: null,
});

test('what was appended is read again by another process', async () => {
  const journal = openJournal(file);
  expect(await journal.read()).toEqual([]);
  await journal.append(entry(1));
  await journal.append(entry(2));
  expect(await openJournal(file).read()).toEqual([entry(1), entry(2)]);
});

test('a line torn at any byte is left out, and the next one stands whole after it', async () => {
  const first = openJournal(file);
  await first.append(entry(1));
  const whole = readFileSync(file).length;
  await first.append(entry(2));
  const bytes = readFileSync(file);
  for (let cut = whole; cut < bytes.length; cut += 7) {
    writeFileSync(file, bytes);
    truncateSync(file, cut);
    const journal = openJournal(file);
    expect(await journal.read()).toEqual([entry(1)]);
    await journal.append(entry(2));
    expect(await openJournal(file).read()).toEqual([entry(1), entry(2)]);
  }
});

test('a line changed in the middle, or left out, is refused with the file and a cure', async () => {
  const journal = openJournal(file);
  for (const n of [1, 2, 3]) await journal.append(entry(n));
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('quiet', 'QUIET'));
  await expect(openJournal(file).read()).rejects.toThrow(/h1\.ndjson.*line 1 is not whole/);
  writeFileSync(file, text.split('\n').slice(1).join('\n'));
  await expect(openJournal(file).read()).rejects.toThrow(/line 1 is numbered 2/);
});

test('bytes after a torn line are no reason to lose the ones before', async () => {
  const journal = openJournal(file);
  await journal.append(entry(1));
  appendFileSync(file, '0123456789abcdef {"version":1');
  expect(await openJournal(file).read()).toEqual([entry(1)]);
});
