import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NotRegular, readRegular } from '../../src/files/read-file.ts';
import { exists, readJson, writeFileAtomic, writeJson } from '../../src/files/write-file.ts';
import { Fault } from '../../src/protocol/fault.ts';
import { tempFolder } from './temp-folder.ts';

const anything = { parse: (value: unknown) => value };

test('a written file has its content and mode, and no temp file stays', async () => {
  const folder = tempFolder();
  await writeFileAtomic(join(folder, 'a'), 'one', { mode: 0o600 });
  await writeFileAtomic(join(folder, 'a'), new Uint8Array([1, 2]), { sync: false });
  await writeFileAtomic(join(folder, 'secret'), 'x', { mode: 0o600 });
  expect([...readFileSync(join(folder, 'a'))]).toEqual([1, 2]);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'a')).mode & 0o133).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['a', 'secret']);
});

test('writing replaces a symlink instead of writing through it', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'canary'), 'canary');
  symlinkSync('canary', join(folder, 'link'));
  await writeFileAtomic(join(folder, 'link'), 'new');
  expect(readFileSync(join(folder, 'canary'), 'utf8')).toBe('canary');
  expect(lstatSync(join(folder, 'link')).isFile()).toBe(true);
});

test('a write that fails leaves the old file and no temp file', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'taken/full'), { recursive: true });
  await expect(writeFileAtomic(join(folder, 'taken'), 'x')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});

test('a name of 255 bytes can be written', async () => {
  const file = join(tempFolder(), 'n'.repeat(255));
  await writeJson(file, { a: [1] });
  expect(readFileSync(file, 'utf8')).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});

test('broken JSON and a wrong form are faults that name the file', async () => {
  const file = join(tempFolder(), 'x.json');
  writeFileSync(file, '{"a": ');
  await expect(readJson(file, anything)).rejects.toThrow(/x\.json" is not valid JSON/);
  await expect(readJson(file, anything)).rejects.toBeInstanceOf(Fault);
  writeFileSync(file, '{"a": 1}');
  const refuse = {
    parse() {
      throw Object.assign(new Error('long'), { issues: [{ path: ['a', 0], message: 'must be text' }] });
    },
  };
  await expect(readJson(file, refuse)).rejects.toMatchObject({
    code: 'invalid',
    message: /x\.json.*a\.0: must be text/,
  });
  expect(await readJson(file, anything)).toEqual({ a: 1 });
});

test('reading refuses links, folders and FIFOs without waiting, and files over the limit', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'real'), '12345');
  symlinkSync('real', join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  for (const name of ['link', 'fifo', '.']) {
    await expect(readRegular(join(folder, name))).rejects.toBeInstanceOf(NotRegular);
  }
  expect((await readRegular(join(folder, 'link'), { follow: true })).toString()).toBe('12345');
  await expect(readRegular(join(folder, 'real'), { max: 4 })).rejects.toThrow(/at most 4/);
  expect((await readRegular(join(folder, 'real'), { max: 5 })).length).toBe(5);
  await expect(readJson(join(folder, 'none'), anything)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('exists is false for what is missing, dangling or below a file', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere', join(folder, 'dangling'));
  expect(await exists(join(folder, 'file'))).toBe(true);
  expect(await exists(folder)).toBe(true);
  for (const name of ['none', 'dangling', 'file/below']) expect(await exists(join(folder, name))).toBe(false);
});
