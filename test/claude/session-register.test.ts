// Which session runs in a pane, by the files that running Claude Codes keep about themselves.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findTranscript, type Look, sessionOfPane } from '../../src/claude/session-register.ts';

const id = (n: number) => `0000000${n}-49f9-41d2-ba31-bbf40a92c769`;

function makeConfig(entries: Record<string, unknown>) {
  const config = mkdtempSync('/tmp/bc-');
  onTestFinished(() => rmSync(config, { recursive: true, force: true }));
  mkdirSync(path.join(config, 'sessions'));
  for (const [name, entry] of Object.entries(entries))
    writeFileSync(path.join(config, 'sessions', name), typeof entry === 'string' ? entry : JSON.stringify(entry));
  return config;
}

// pid → its parent; started as its pid says.
const processes =
  (parents: Record<number, number>): Look =>
  pid =>
    parents[pid] === undefined ? null : { parent: parents[pid], start: String(pid), isZombie: false };

const entry = (pid: number, more = {}) => ({ pid, sessionId: id(pid % 10), kind: 'interactive', ...more });
const ask = (config: string, parents: Record<number, number>, panePid = 100) =>
  sessionOfPane({ config, panePid, known: null }, processes(parents));

test('the one that descends from the pane is meant, whoever else works in the same folder', async () => {
  const config = makeConfig({ '201.json': entry(201), '302.json': entry(302) });
  const parents = { 100: 1, 150: 100, 201: 150, 101: 1, 302: 101 };
  expect(await ask(config, parents)).toEqual({ pid: 201, sessionId: id(1) });
  expect(await ask(config, parents, 101)).toEqual({ pid: 302, sessionId: id(2) });
  expect(await ask(config, parents, 400)).toBeNull();
});

test('one that runs as a tool of the other is passed over; two beside each other are one too many', async () => {
  const config = makeConfig({ '201.json': entry(201), '302.json': entry(302) });
  expect(await ask(config, { 100: 1, 201: 100, 250: 201, 302: 250 })).toEqual({ pid: 201, sessionId: id(1) });
  expect(await ask(config, { 100: 1, 201: 100, 302: 100 })).toBeNull();
});

test('a headless one, a number used again, a half-written file and a key beside them say nothing', async () => {
  const config = makeConfig({
    '201.json': entry(201, { kind: 'headless' }),
    '302.json': '{"pid":302,"sess',
    '403.json': entry(404),
    '505.abc.key': 'not to be read',
  });
  const parents = { 100: 1, 201: 100, 302: 100, 403: 100, 404: 100, 505: 100 };
  expect(await ask(config, parents)).toBeNull();
  if (process.platform === 'linux') {
    writeFileSync(path.join(config, 'sessions', '606.json'), JSON.stringify(entry(606, { procStart: '1' })));
    expect(await ask(config, { ...parents, 606: 100 })).toBeNull();
  }
});

test('the transcript is found by the name of the session, in whichever project folder', async () => {
  const config = makeConfig({});
  expect(await findTranscript(config, id(1))).toBeNull();
  mkdirSync(path.join(config, 'projects', '-a-b'), { recursive: true });
  const file = path.join(config, 'projects', '-a-b', `${id(1)}.jsonl`);
  writeFileSync(file, '');
  expect(await findTranscript(config, id(1))).toBe(file);
  expect(await findTranscript(config, id(2))).toBeNull();
});
