import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isInside, makeFolder, PathEscape, realTarget, resolveInside } from '../../src/files/guard-path.ts';
import { fingerprintTree } from '../../src/files/walk-tree.ts';
import { tempFolder } from './temp-folder.ts';

// base/work is the root, base/work2 a neighbour with the same prefix, base/canary must never change.
function makeWorld() {
  const base = tempFolder();
  const root = join(base, 'work');
  for (const name of ['work/in/deep', 'work2', 'canary/sub']) mkdirSync(join(base, name), { recursive: true });
  writeFileSync(join(base, 'canary/file'), 'canary');
  writeFileSync(join(root, 'in/file'), 'inside');
  const links: Record<string, string> = {
    out: '../canary',
    'out-abs': join(base, 'canary'),
    'out-file': '../canary/file',
    'out-new': '../canary/new',
    'out-parent': '..',
    'out-slash': '/',
    'out-tmp': '/tmp',
    'out-etc': '/etc/passwd',
    'out-proc': '/proc/self/root',
    'out-cwd': '/proc/self/cwd',
    'out-prefix': '../work2',
    'out-deep': 'in/deep/../../../canary',
    'chain-1': 'chain-2',
    'chain-2': 'chain-3',
    'chain-3': '../canary/sub',
    'via-in': 'in/up',
    'in/up': '../../canary',
    'in/deep/up': '../../../canary/file',
    'in/abs': base,
    'in/self': '../in/abs/canary',
    'loop-a': 'loop-b',
    'loop-b': 'loop-a',
    'loop-self': 'loop-self',
    'self-dir': '.',
    fine: 'in',
    'fine-abs': join(root, 'in/deep'),
    'fine-new': 'in/not-yet',
    'fine-round': '../work/in',
    dots: 'in/../../work/../canary',
    trailing: '../canary/',
    double: '..//canary',
    'dangling-out': '../nowhere/at/all',
    'nested/never': '../x',
  };
  mkdirSync(join(root, 'nested'));
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  return { base, root };
}

const escapes = [
  'out', 'out/', 'out/.', 'out/file', 'out/new', 'out/new/deeper', 'out/sub/x', 'out/../canary/file', './out/file',
  'in/../out/file', 'out-abs', 'out-abs/file', 'out-abs/sub/new', 'out-file', 'out-file/below', 'out-new',
  'out-new/x', 'out-parent', 'out-parent/canary/file', 'out-parent/work2/x', 'out-slash', 'out-slash/etc/x',
  'out-slash/tmp/baton-x', 'out-tmp/x', 'out-etc', 'out-proc', 'out-proc/tmp/x', 'out-cwd', 'out-cwd/x',
  'out-prefix', 'out-prefix/x', 'out-deep', 'out-deep/file', 'chain-1', 'chain-1/x', 'chain-2/x', 'chain-3',
  'via-in', 'via-in/file', 'in/up', 'in/up/file', 'in/up/sub', 'in/deep/up', 'in/abs', 'in/abs/canary/file',
  'in/abs/new', 'in/self', 'in/self/file', 'fine/up/file', 'fine/abs/canary/file', 'self-dir/out/file',
  'self-dir/self-dir/out', 'fine-abs/up', 'fine-round/up/x', 'dots', 'dots/file', 'trailing/file', 'double',
  'double/file', 'dangling-out', 'dangling-out/x', 'loop-a', 'loop-a/x', 'loop-b', 'loop-self', 'loop-self/x',
  '..', '../', '../canary/file', '../work2', '../work2/x', '../work-new', 'in/../../canary/file', '../../etc/x',
  'in/deep/../../../canary', 'fine/../../canary/file', 'fine-abs/../../../canary', 'nul\0/x', 'in/file\0', '\0',
  'not-yet/../../canary/file', 'not-yet/a/../../../work2/x', 'out/../work2/x',
]; // biome-ignore format: a table

test.each(escapes)('%j leads out and is refused', async path => {
  const { base, root } = makeWorld();
  const before = await fingerprintTree(join(base, 'canary'));
  const given = `${root}/${path}`;
  await expect(resolveInside(given, [root])).rejects.toBeInstanceOf(PathEscape);
  await expect(makeFolder(given, [root])).rejects.toBeInstanceOf(PathEscape);
  expect(await fingerprintTree(join(base, 'canary'))).toBe(before);
});

test.each([
  ['in/file', 'in/file'],
  ['in//deep/./x', 'in/deep/x'],
  ['fine/deep/new', 'in/deep/new'],
  ['fine-abs/new', 'in/deep/new'],
  ['fine-new', 'in/not-yet'],
  ['fine-new/x/y', 'in/not-yet/x/y'],
  ['fine-round/file', 'in/file'],
  ['self-dir/self-dir/in/file', 'in/file'],
  ['not/yet/../there', 'not/there'],
  ['..odd/name', '..odd/name'],
  ['in/...', 'in/...'],
  ['in/ü\u0308 x', 'in/ü\u0308 x'],
  ['fine/../in/x', 'in/x'],
  ['nested/never', 'x'],
])('%j stays inside, at %j', async (path, expected) => {
  const { root } = makeWorld();
  expect(await resolveInside(`${root}/${path}`, [root])).toBe(join(root, expected));
});

test('".." after a link goes up from where the link leads', async () => {
  const { base, root } = makeWorld();
  expect(await realTarget(`${root}/out/..`)).toBe(base);
  expect(await realTarget(`${root}/out-abs/sub/../..`)).toBe(base);
  expect(await realTarget(`${root}/fine-abs/..`)).toBe(join(root, 'in'));
});

test('what exists resolves exactly as the system resolves it', async () => {
  const { root } = makeWorld();
  for (const path of ['out/sub', 'chain-1', 'fine/deep', 'in/abs/work/fine', 'via-in/file', 'out-deep', 'double']) {
    expect(await realTarget(join(root, path))).toBe(realpathSync(join(root, path)));
  }
});

test('a root given through a link counts as what it leads to, and the root itself needs allowRoot', async () => {
  const { base, root } = makeWorld();
  symlinkSync('work', join(base, 'alias'));
  expect(await resolveInside(join(base, 'alias/in/x'), [root])).toBe(join(root, 'in/x'));
  expect(await resolveInside(join(root, 'in/x'), [join(base, 'alias')])).toBe(join(root, 'in/x'));
  await expect(resolveInside(root, [root])).rejects.toBeInstanceOf(PathEscape);
  expect(await resolveInside(root, [root], { allowRoot: true })).toBe(root);
  expect(await resolveInside(join(base, 'work2/x'), [root, join(base, 'work2')])).toBe(join(base, 'work2/x'));
  await expect(resolveInside(join(root, 'x'), [])).rejects.toThrow(/any allowed folder/);
});

test('a link whose target is no UTF-8 is refused', async () => {
  const { root } = makeWorld();
  symlinkSync(Buffer.from([0x69, 0x6e, 0x2f, 0xff]), join(root, 'raw'));
  await expect(resolveInside(join(root, 'raw'), [root])).rejects.toBeInstanceOf(PathEscape);
});

test('isInside compares segments, not letters', () => {
  for (const [path, root, expected] of [
    ['/a/b', '/a', true],
    ['/a', '/a', true],
    ['/ab', '/a', false],
    ['/a/../b', '/a', false],
    ['/a/..b', '/a', true],
    ['/a/...', '/a', true],
    ['/', '/a', false],
    ['/a', '/', true],
    ['/A/b', '/a', false],
    ['/a/b/../../a/c', '/a/', true],
  ] as const) {
    expect(isInside(path, root), `${path} in ${root}`).toBe(expected);
  }
});

test('makeFolder makes all that is missing, the root too, and twice is once', async () => {
  const root = join(tempFolder(), 'not/there/yet');
  const made = await makeFolder(join(root, 'a/b/c'), [root]);
  expect(made).toBe(join(root, 'a/b/c'));
  expect(await makeFolder(join(root, 'a/b/c'), [root])).toBe(made);
  await writeFile(join(root, 'a/file'), '');
  await expect(makeFolder(join(root, 'a/file/x'), [root])).rejects.toThrow(/is a file where a folder is needed/);
  expect(dirname(made)).toBe(join(root, 'a/b'));
});
