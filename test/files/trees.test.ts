import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyTree, moveTree, removeTree } from '../../src/files/move-tree.ts';
import { fingerprintTree, hasContent, walkTree } from '../../src/files/walk-tree.ts';
import { tempFolder } from './temp-folder.ts';

function makeTree(folder: string): string {
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'sub/empty'), { recursive: true });
  writeFileSync(join(tree, 'sub/run.sh'), '#!/bin/sh\n');
  chmodSync(join(tree, 'sub/run.sh'), 0o755);
  writeFileSync(join(tree, 'a'), 'a');
  symlinkSync('/etc', join(tree, 'link'));
  utimesSync(join(tree, 'a'), 1_000_000_000.25, 1_000_000_000.25);
  chmodSync(join(tree, 'sub'), 0o500);
  return tree;
}

// Times are kept to the microsecond.
const exactly = async (root: string) =>
  (await walkTree(root)).map(entry => ({ ...entry, mtimeMs: Math.round(entry.mtimeMs * 1000) }));

test('a walk lists everything sorted and follows nothing', async () => {
  const tree = makeTree(tempFolder());
  const entries = await walkTree(tree);
  expect(entries.map(entry => [entry.path, entry.kind, entry.size])).toEqual([
    ['', 'folder', 0],
    ['a', 'file', 1],
    ['link', 'symlink', 0],
    ['sub', 'folder', 0],
    ['sub/empty', 'folder', 0],
    ['sub/run.sh', 'file', 10],
  ]);
  expect(entries[2]?.target).toBe('/etc');
  expect(entries[5]?.mode).toBe(0o755);
  expect((await walkTree(join(tree, 'link'))).map(entry => entry.kind)).toEqual(['symlink']);
  expect((await walkTree(join(tree, 'a'))).map(entry => entry.path)).toEqual(['']);
  expect(await walkTree(join(tree, 'none'))).toEqual([]);
});

test('special files and names that are no UTF-8 are listed as other', async () => {
  const folder = tempFolder();
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'x');
  const [, ...entries] = await walkTree(folder);
  expect(entries.map(entry => [entry.kind, entry.garbled ?? false])).toEqual([
    ['other', true],
    ['other', false],
  ]);
  expect(typeof (await fingerprintTree(folder))).toBe('string');
});

test('a fingerprint changes with content, name, mode and target, and not with time', async () => {
  const folder = tempFolder();
  const tree = makeTree(folder);
  const first = await fingerprintTree(tree);
  utimesSync(join(tree, 'a'), 5, 5);
  expect(await fingerprintTree(tree)).toBe(first);
  const seen = new Set([first]);
  const changes = [
    () => writeFileSync(join(tree, 'a'), 'b'),
    () => chmodSync(join(tree, 'a'), 0o600),
    () => writeFileSync(join(tree, 'new'), ''),
    () => symlinkSync('/usr', join(tree, 'link2')),
    () => mkdirSync(join(tree, 'folder')),
  ];
  for (const change of changes) {
    change();
    const now = await fingerprintTree(tree);
    expect(seen.has(now)).toBe(false);
    seen.add(now);
  }
  expect(await fingerprintTree(join(folder, 'none'))).toBe(null);
});

test('content means a non-empty regular file, and a link proves nothing', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'hollow/sub'), { recursive: true });
  writeFileSync(join(folder, 'hollow/sub/empty'), '');
  symlinkSync('/etc/passwd', join(folder, 'hollow/link'));
  symlinkSync('full', join(folder, 'to-full'));
  mkdirSync(join(folder, 'full'));
  writeFileSync(join(folder, 'full/x'), 'x');
  for (const name of ['hollow', 'hollow/link', 'to-full', 'none'])
    expect(await hasContent(join(folder, name))).toBe(false);
  for (const name of ['full', 'full/x']) expect(await hasContent(join(folder, name))).toBe(true);
});

test('a copy has the same content, modes, times and links, and leaves the source alone', async () => {
  const folder = tempFolder();
  const tree = makeTree(folder);
  const before = await exactly(tree);
  await copyTree(tree, join(folder, 'made/copy'));
  expect(await exactly(join(folder, 'made/copy'))).toEqual(before);
  expect(await fingerprintTree(join(folder, 'made/copy'))).toBe(await fingerprintTree(tree));
  expect(readlinkSync(join(folder, 'made/copy/link'))).toBe('/etc');
});

test('a copy refuses special files and what is already there, and leaves nothing half made', async () => {
  const folder = tempFolder();
  const tree = makeTree(folder);
  await copyTree(join(tree, 'link'), join(folder, 'taken'));
  await expect(copyTree(tree, join(folder, 'taken'))).rejects.toMatchObject({ code: 'EEXIST' });
  execFileSync('mkfifo', [join(tree, 'fifo')]);
  await expect(copyTree(tree, join(folder, 'copy'))).rejects.toThrow(/fifo" is a special file/);
  expect(readdirSync(folder).sort()).toEqual(['taken', 'tree']);
});

test.each(['same', 'other'])('a move over the %s file system brings everything and overwrites nothing', async where => {
  const folder = tempFolder();
  const goal = where === 'same' ? folder : tempFolder('/dev/shm');
  if (where === 'other') expect(lstatSync(goal).dev).not.toBe(lstatSync(folder).dev);
  const tree = makeTree(folder);
  const before = await exactly(tree);
  writeFileSync(join(goal, 'taken'), 'kept');
  await expect(moveTree(tree, join(goal, 'taken'))).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(join(goal, 'taken'), 'utf8')).toBe('kept');
  await moveTree(tree, join(goal, 'deep/er/tree'));
  expect(await exactly(join(goal, 'deep/er/tree'))).toEqual(before);
  expect(await walkTree(tree)).toEqual([]);
  await moveTree(join(goal, 'deep/er/tree/link'), join(folder, 'link'));
  expect(readlinkSync(join(folder, 'link'))).toBe('/etc');
  expect(readdirSync(join(goal, 'deep/er'))).toEqual(['tree']);
});

test.skipIf(process.getuid?.() !== 0)('folders closed to their owner can be moved and removed', async () => {
  const folder = tempFolder();
  chmodSync(folder, 0o777);
  const module = new URL('../../src/files/move-tree.ts', import.meta.url).pathname;
  const script = `
    const { mkdirSync, writeFileSync, chmodSync, existsSync, statSync } = require('node:fs');
    import(${JSON.stringify(module)}).then(async ({ moveTree, removeTree }) => {
      process.chdir(${JSON.stringify(folder)});
      process.setuid(65534);
      mkdirSync('a/closed/deep', { recursive: true }); mkdirSync('b');
      writeFileSync('a/closed/deep/x', 'x');
      chmodSync('a/closed/deep', 0o000); chmodSync('a/closed', 0o500);
      await moveTree('a/closed', 'b/closed');
      const mode = statSync('b/closed').mode & 0o777;
      await removeTree('b/closed');
      console.log(mode.toString(8), existsSync('b/closed'));
    });`;
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()).toBe('500 false');
  await removeTree(join(folder, 'none'));
});
