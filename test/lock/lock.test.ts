import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { copyTree } from '../../src/files/move-tree.ts';
import { NotRegular, readRegular } from '../../src/files/read-file.ts';
import { fingerprintTree } from '../../src/files/walk-tree.ts';
import { acquireLock, isLocked, type Lock } from '../../src/lock/lock.ts';
import { tempFolder } from '../files/temp-folder.ts';

const program = new URL('./hold-lock.ts', import.meta.url).pathname;

async function holdElsewhere(file: string, withChild = false) {
  const child = spawn(process.execPath, [program, file, ...(withChild ? ['child'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { ...(JSON.parse(line) as { held: boolean; pid: number; sleeper: number }), kill };
}

async function acquired(file: string): Promise<Lock> {
  const lock = await acquireLock(file, { what: 'testing' });
  if (!lock.held) throw new Error('the lock is not free');
  onTestFinished(() => lock.release());
  return lock;
}

test('a lock is refused to others while held, says who holds it, and is free after release', async () => {
  const file = join(tempFolder(), 'deep/run.lock');
  expect(await isLocked(file)).toBe(null);
  expect(existsSync(file)).toBe(false);
  const lock = await acquired(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const refused = await acquireLock(file, { what: 'second' });
  expect(refused).toMatchObject({ held: false, by: { pid: process.pid, what: 'testing' } });
  expect(await isLocked(file)).toEqual(refused);
  const other = await holdElsewhere(file);
  expect(other.held).toBe(false);
  lock.release();
  lock.release();
  expect(await isLocked(file)).toBe(null);
  expect(readdirSync(join(file, '..'))).toEqual(['run.lock']);
  (await acquired(file)).release();
});

test('kill -9 of the holder frees it at once, though its child lives on, and leaves no journal', async () => {
  const file = join(tempFolder(), 'run.lock');
  const holder = await holdElsewhere(file, true);
  onTestFinished(() => void process.kill(holder.sleeper, 'SIGKILL'));
  expect(holder.held).toBe(true);
  expect(await isLocked(file)).toMatchObject({ by: { pid: holder.pid, what: 'holding' } });
  expect(await acquireLock(file, { what: 'x' })).toMatchObject({ held: false, by: { pid: holder.pid } });
  await holder.kill();
  expect(readdirSync(join(file, '..')).sort()).toEqual(['run.lock', 'run.lock.json']);
  expect(await isLocked(file)).toBe(null);
  const lock = await acquired(file);
  expect(await isLocked(file)).toMatchObject({ by: { pid: process.pid } });
  expect(process.kill(holder.sleeper, 0)).toBe(true);
  lock.release();
  expect(readdirSync(join(file, '..'))).toEqual(['run.lock']);
});

test('of many who want it at once exactly one gets it', async () => {
  const file = join(tempFolder(), 'run.lock');
  const here = await Promise.all(Array.from({ length: 20 }, () => acquireLock(file, { what: 'many' })));
  expect(here.filter(lock => lock.held).length).toBe(1);
  for (const lock of here) if (lock.held) lock.release();
  const elsewhere = await Promise.all([1, 2, 3, 4].map(() => holdElsewhere(file)));
  expect(elsewhere.filter(other => other.held).length).toBe(1);
});

test('those who ask again and again take nothing away from the one who wants it', async () => {
  const file = join(tempFolder(), 'run.lock');
  (await acquired(file)).release();
  const asking = new URL('./ask-lock.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [asking, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface(child.stdout), 'line');
  for (let round = 0; round < 100; round += 1) (await acquired(file)).release();
});

test('reading the lock file in the same process does not drop the lock', async () => {
  const folder = tempFolder();
  const file = join(folder, 'ws/run.lock');
  await acquired(file);
  linkSync(file, join(folder, 'ws/hard'));
  for (const path of [file, join(folder, 'ws/hard')])
    await expect(readRegular(path)).rejects.toBeInstanceOf(NotRegular);
  await fingerprintTree(join(folder, 'ws'));
  await expect(copyTree(join(folder, 'ws'), join(folder, 'copy'))).rejects.toThrow(/special file/);
  await isLocked(file);
  expect((await holdElsewhere(file)).held).toBe(false);
});

test('journals left behind or forged do not matter and are not kept', async () => {
  const file = join(tempFolder(), 'run.lock');
  for (const litter of ['', 'garbage', '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7'.repeat(200)]) {
    writeFileSync(`${file}-journal`, litter, 'latin1');
    (await acquired(file)).release();
    expect(readFileSync(file).length).toBe(0);
  }
  writeFileSync(`${file}-wal`, 'garbage');
  const lock = await acquired(file);
  expect((await holdElsewhere(file)).held).toBe(false);
  lock.release();
});

test('what is no lock of ours is refused and left as it is', async () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('content'), 'somebody needs this');
  writeFileSync(at('canary'), '');
  chmodSync(at('canary'), 0o640);
  symlinkSync('canary', at('link'));
  mkdirSync(at('folder'));
  const database = new DatabaseSync(at('database'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
  database.close();
  for (const name of ['content', 'link', 'folder', 'database']) {
    await expect(acquireLock(at(name), { what: 'x' })).rejects.toMatchObject({ code: 'refused' });
    expect(await isLocked(at(name))).toBe(null);
  }
  expect(readFileSync(at('content'), 'utf8')).toBe('somebody needs this');
  expect(statSync(at('canary')).mode & 0o777).toBe(0o640);
});

test('a forged or broken note about the holder is not believed', async () => {
  const file = join(tempFolder(), 'run.lock');
  await acquired(file);
  for (const note of [
    '',
    '{',
    'null',
    '{"pid":-1,"what":"x","since":"y"}',
    '{"pid":1}',
    '{"pid":4194999,"what":"x","since":"y"}',
  ]) {
    writeFileSync(`${file}.json`, note);
    expect(await isLocked(file)).toEqual({ held: false, by: null });
  }
});
