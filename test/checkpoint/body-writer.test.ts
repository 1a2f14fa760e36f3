import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BodyWriter } from '../../src/checkpoint/body-writer.ts';
import { readTar } from '../../src/checkpoint/read-tar.ts';
import type { TarEntry } from '../../src/checkpoint/tar.ts';
import { tempFolder } from '../files/temp-folder.ts';

const entryOf = (name: string, size: number): TarEntry => ({
  name,
  type: '0',
  size,
  mode: 0o644,
  mtimeMs: 0,
  link: '',
});

async function entriesOf(archive: Buffer): Promise<{ name: string; size: number; content: Buffer }[]> {
  const entries = [];
  for await (const { name, size, content } of readTar(Readable.from([archive]))) {
    entries.push({ name, size, content: Buffer.concat(await Array.fromAsync(content)) });
  }
  return entries;
}

test.each([
  ['shrank', 1000],
  ['grew', 900_000],
  ['vanished to nothing', 0],
])(
  'a large file that %s after its header was written leaves a sound archive with the right hash',
  async (_, actual) => {
    const folder = tempFolder();
    const bytes = Buffer.alloc(actual, 'x');
    writeFileSync(join(folder, 'source'), bytes);
    const [source, goal] = [await open(join(folder, 'source')), await open(join(folder, 'goal'), 'wx')];
    const writer = new BodyWriter(goal);
    await writer.add(entryOf('before', 3), Buffer.from('abc'));
    const sha256 = await writer.addLarge(entryOf('large', 200_001), source);
    await writer.add(entryOf('after', 3), Buffer.from('def'));
    await writer.end();
    for (const handle of [source, goal]) await handle.close();
    const wanted = Buffer.concat([bytes, Buffer.alloc(200_001)]).subarray(0, 200_001);
    const entries = await entriesOf(gunzipSync(readFileSync(join(folder, 'goal'))));
    expect(entries.map(entry => [entry.name, entry.size])).toEqual([
      ['before', 3],
      ['large', 200_001],
      ['after', 3],
    ]);
    expect(entries[1]?.content.equals(wanted)).toBe(true);
    expect(sha256).toBe(createHash('sha256').update(wanted).digest('hex'));
    expect(writer.parts.at(-1)).toBe(readFileSync(join(folder, 'goal')).length);
  },
);

test.each([
  ['a', ''],
  ['n'.repeat(100), 'l'.repeat(100)],
  ['n'.repeat(101), ''],
  ['ü', 'ö'],
  [`${'deep/'.repeat(800)}x`, 'y'.repeat(4000)],
  ['new\nline 9=9', '12 path=z\n'],
])('the name %j and the target %j come back as they went in', async (name, link) => {
  const folder = tempFolder();
  const goal = await open(join(folder, 'goal'), 'wx');
  const writer = new BodyWriter(goal);
  for (const mtimeMs of [0, 1000, 1.5, -1500, 1_794_991_492_295.087]) {
    await writer.add({ name, type: '2', size: 0, mode: 0o7777, mtimeMs, link }, Buffer.alloc(0));
  }
  await writer.end();
  await goal.close();
  const read = await Array.fromAsync(readTar(Readable.from([gunzipSync(readFileSync(join(folder, 'goal')))])));
  for (const entry of read) expect([entry.name, entry.link, entry.mode]).toEqual([name, link, 0o7777]);
  const micros = read.map(entry => Math.round(entry.mtimeMs * 1000));
  expect(micros).toEqual([0, 1_000_000, 1500, -1_500_000, 1_794_991_492_295_087]);
});
