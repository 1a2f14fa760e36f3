// After kill -9 nothing of Baton lies about for ever, and nothing of anybody else is taken away.

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { privateFolderOwner, withPrivateFolder } from '../../src/git/build-tree.ts';
import { sweepHalfWritten, sweepState } from '../../watchdog/sweep-leftovers.ts';
import { tempFolder } from '../files/temp-folder.ts';

const { pid: dead } = spawnSync('true');
const long = new Date(Date.now() - 2 * 3_600_000);

test('private folders of dead processes go, those of living ones and of others stay', async () => {
  const tmp = tempFolder();
  const at = (name: string) => path.join(tmp, name);
  const [gone, ours, others] = [`baton-git-${dead}-aB3xYz`, `baton-git-${process.pid}-aB3xYz`, 'baton-git-notes'];
  for (const name of [gone, ours, others]) mkdirSync(at(name));
  writeFileSync(path.join(at(gone), 'index'), 'x');
  await sweepState(at('state'), tmp);
  expect(readdirSync(tmp).sort()).toEqual([ours, others].sort());
  await withPrivateFolder(async folder => {
    expect(path.dirname(folder)).toBe(tmpdir());
    expect(privateFolderOwner(path.basename(folder))).toBe(process.pid);
  });
});

test('half-written files go once they are old, and nothing else does', async () => {
  const folder = tempFolder();
  const make = (name: string, time?: Date) => {
    writeFileSync(path.join(folder, name), 'x');
    if (time !== undefined) utimesSync(path.join(folder, name), time, time);
    return name;
  };
  make(`.tmp-${randomUUID()}`, long);
  const kept = [make(`.tmp-${randomUUID()}`), make('.tmp-mine', long), make('HANDOFF-2025-01-20-1430.md', long)];
  await sweepHalfWritten(folder);
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
  await sweepHalfWritten(path.join(folder, 'none'));
});

test('journals of handoffs that are over are kept to the newest five hundred', async () => {
  const state = tempFolder();
  const done = path.join(state, 'journals', 'done');
  mkdirSync(done, { recursive: true });
  const name = (n: number) => `h-2026111817${String(n).padStart(4, '0')}-aaaaaaaa.ndjson`;
  for (let n = 0; n < 503; n += 1) writeFileSync(path.join(done, name(n)), '');
  await sweepState(state, path.join(state, 'no-tmp'));
  expect(readdirSync(done)).toHaveLength(500);
  expect([existsSync(path.join(done, name(2))), existsSync(path.join(done, name(3)))]).toEqual([false, true]);
});
