import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeCheckpoint } from '../../src/checkpoint/make-checkpoint.ts';
import type { Covered, Listed } from '../../src/checkpoint/manifest.ts';
import { openCheckpoint } from '../../src/checkpoint/read-checkpoint.ts';
import { rollbackCheckpoint } from '../../src/checkpoint/restore-checkpoint.ts';
import { checksum, type TarEntry, tarEnd, tarHeader } from '../../src/checkpoint/tar.ts';
import { Fault } from '../../src/protocol/fault.ts';
import { blocksOf, type Draft, fileItem, folderItem, type Item, linkItem, pack, soundDraft } from './forge-archive.ts';
import { listing, makeWorld } from './small-world.ts';

const add =
  (...items: Item[]) =>
  (draft: Draft) =>
    void draft.items.push(...items);
const change = (name: string, patch: Partial<TarEntry>) => (draft: Draft) => {
  for (const item of draft.items) if (item.entry.name === name) item.entry = { ...item.entry, ...patch };
};
const typed = (name: string, type: string, link = '') => {
  const item = fileItem(name, '');
  return add({ ...item, entry: { ...item.entry, type, link } });
};

const tamperings: Record<string, (draft: Draft) => void> = {
  'an absolute name': add(fileItem('/tmp/baton-evil')),
  'a name with ..': add(fileItem('roots/1/../../../../canary/evil')),
  'a folder called ..': add(folderItem('roots/1/..'), fileItem('roots/1/../evil')),
  'a folder called .': add(folderItem('roots/1/.'), fileItem('roots/1/./evil')),
  'a name that goes up at once': add(fileItem('../evil')),
  'a name with .': add(fileItem('roots/1/./evil')),
  'an empty part in a name': add(fileItem('roots/1//evil')),
  'a name that ends in a slash': add(folderItem('roots/1/evil/')),
  'a name with NUL': add(fileItem('roots/1/ev\0il/ü')),
  'a name outside roots': add(fileItem('evil')),
  'the bare name roots': add(folderItem('roots')),
  'a place that does not exist': add(fileItem('roots/7')),
  'a place with a leading zero': add(fileItem('roots/00')),
  'a negative place': add(fileItem('roots/-1')),
  'a place in hexadecimal': add(fileItem('roots/0x0/evil')),
  'a place called __proto__': add(fileItem('roots/__proto__')),
  'something at a place that was absent': add(fileItem('roots/2')),
  'something below a place that was absent': add(folderItem('roots/2'), fileItem('roots/2/evil')),
  'a link as a parent': add(linkItem('roots/1/way', '../../canary'), fileItem('roots/1/way/evil')),
  'an absolute link as a parent': add(linkItem('roots/1/way', '/tmp'), fileItem('roots/1/way/baton-evil')),
  'a link in the place of a folder': draft => {
    draft.items[0] = linkItem('roots/1', '../canary');
  },
  'a file below a file': add(fileItem('roots/0/evil')),
  'a file whose folder never came': add(fileItem('roots/1/none/evil')),
  'a hard link': typed('roots/1/hard', '1', '/etc/passwd'),
  'a hard link listed as a link': add({
    ...linkItem('roots/1/hard', '/etc/passwd'),
    entry: { ...linkItem('roots/1/hard', '/etc/passwd').entry, type: '1' },
  }),
  'a character device': typed('roots/1/device', '3'),
  'a block device': typed('roots/1/device', '4'),
  'a FIFO': typed('roots/1/fifo', '6'),
  'a contiguous file': typed('roots/1/odd', '7'),
  'a GNU long name': typed('roots/1/odd', 'L'),
  'a GNU long link': typed('roots/1/odd', 'K'),
  'a GNU sparse file': typed('roots/1/odd', 'S'),
  'a global header': add({
    ...fileItem('g', '18 path=/tmp/evil\n'),
    entry: { ...fileItem('g', '18 path=/tmp/evil\n').entry, type: 'g' },
  }),
  'an entry twice': add(fileItem('roots/1/a')),
  'an entry twice with one listing': add({ ...fileItem('roots/1/a', 'evil'), listed: null }),
  'an entry twice, first a link': add(linkItem('roots/1/b', '/tmp/baton-evil'), {
    ...fileItem('roots/1/b'),
    listed: null,
  }),
  'an entry that is not listed': add({ ...fileItem('roots/1/extra'), listed: null }),
  'a listed entry that is missing': draft => void draft.manifest.files.push(fileItem('roots/1/none').listed as Listed),
  'other content': draft => {
    (draft.items[1] as Item).content = 'CONTENT';
  },
  'another target': change('roots/1/a', { type: '2', link: '/etc/passwd', size: 0 }),
  'a file listed as a folder': draft => {
    (draft.items[1] as Item).listed = folderItem('roots/1/a').listed;
  },
  'a longer file than listed': draft => {
    draft.items[1] = { ...fileItem('roots/1/a', 'x'.repeat(5000)), listed: fileItem('roots/1/a').listed };
  },
  'a folder with content': change('roots/1/sub', { size: 512 }),
  'a link without a target': add(linkItem('roots/1/l', '')),
  'a file with a target': change('roots/1/a', { link: '/etc/passwd' }),
  'a size beyond all disks': draft => {
    const item = fileItem('roots/1/bomb');
    item.entry.size = 2 ** 50 - 1;
    (item.listed as Listed).size = 2 ** 50 - 1;
    draft.items.push(item);
  },
  'a place elsewhere': draft => {
    (draft.manifest.covered[2] as Covered).path = '/tmp/baton-evil';
  },
  'a place too many': draft =>
    void draft.manifest.covered.push({ path: '/tmp/baton-evil', existed: false, kind: null }),
  'a place too few': draft => void draft.manifest.covered.pop(),
  'a missing place': draft => {
    draft.items.splice(0, 3);
  },
  'places in another order': draft => void draft.manifest.covered.reverse(),
  'another version': draft => Object.assign(draft.manifest, { version: 2 }),
  'a wrong hash in the manifest': draft =>
    Object.assign((draft.items[1] as Item).listed as Listed, { sha256: '../../x' }),
  'no end': draft => {
    draft.end = Buffer.alloc(0);
  },
  'half an end': draft => {
    draft.end = Buffer.alloc(512);
  },
  'something behind the end': draft => {
    draft.end = Buffer.concat([tarEnd, blocksOf(fileItem('roots/1/evil').entry, 'content')]);
  },
  'many zeros behind the end': draft => {
    draft.end = Buffer.alloc(1_000_000);
  },
  'a header without its entry': draft => {
    const pax = { ...fileItem('x', '').entry, type: 'x', size: 0 };
    draft.end = Buffer.concat([tarHeader(pax), tarEnd]);
  },
};

// What is wrong with the bytes themselves, after a sound archive was packed.
const damages: Record<string, (tar: Buffer) => Buffer> = {
  'a torn end': tar => gzipSync(tar).subarray(0, -20),
  'nothing in it': () => Buffer.alloc(0),
  'no gzip at all': tar => tar,
  'an empty gzip': () => gzipSync(Buffer.alloc(0)),
  'an end in the middle of an entry': tar => gzipSync(tar.subarray(0, 700)),
  'a damaged header': tar => gzipSync(forge(tar, header => header.write('7', 106), false)),
  'a foreign magic': tar => gzipSync(forge(tar, header => header.write('ustar  \0', 257))),
  'a name prefix': tar => gzipSync(forge(tar, header => header.write('/tmp', 345))),
  'a size in base 256': tar => gzipSync(forge(tar, header => header.writeUInt8(0x80, 124))),
  'a negative size': tar => gzipSync(forge(tar, header => header.write('-0000000001', 124))),
  'a manifest that is too long': tar => gzipSync(forge(tar, header => header.write('77777777777', 124))),
  'a manifest of another name': tar => gzipSync(forge(tar, header => header.write('other.json\0\0\0', 0))),
  'a link for a manifest': tar => gzipSync(forge(tar, header => header.write('2', 156))),
  'a damaged gzip': tar => {
    const bytes = gzipSync(tar);
    bytes.fill(0xff, 60, 90);
    return bytes;
  },
};

function forge(tar: Buffer, patch: (header: Buffer) => void, mend = true): Buffer {
  const bytes = Buffer.from(tar);
  patch(bytes);
  if (mend) bytes.write(`${checksum(bytes.subarray(0, 512)).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

async function setUp() {
  const { base, world } = makeWorld();
  const narrow = { ...world, covered: ['one.txt', 'src', 'x-new'].map(name => join(world.workspace, name)) };
  mkdirSync(dirname(world.file));
  mkdirSync(join(world.workspace, '.baton'));
  return { base, world: narrow, draft: soundDraft(narrow.covered) };
}

async function expectRefused({ base, world }: Awaited<ReturnType<typeof setUp>>, archive: Buffer): Promise<void> {
  writeFileSync(world.file, archive);
  const everything = async () => (await listing(base)).filter(line => !line.includes('/.baton |'));
  const before = await everything();
  await expect(rollbackCheckpoint(world)).rejects.toBeInstanceOf(Fault);
  expect(await everything()).toEqual(before);
  expect(readdirSync(join(world.workspace, '.baton'))).toEqual([]);
  expect(existsSync('/tmp/baton-evil')).toBe(false);
}

test('the sound archive these are made from is accepted', async () => {
  const { world, draft } = await setUp();
  writeFileSync(world.file, pack(draft));
  await rollbackCheckpoint(world);
  expect(readFileSync(join(world.workspace, 'src/a'), 'utf8')).toBe('content');
  expect(readFileSync(join(world.workspace, 'one.txt'), 'utf8')).toBe('one');
  expect(readdirSync(join(world.workspace, 'src'))).toEqual(['a', 'sub']);
});

test.each(Object.keys(tamperings))('an archive with %s is refused and changes nothing', async name => {
  const setting = await setUp();
  tamperings[name]?.(setting.draft);
  await expectRefused(setting, pack(setting.draft));
});

test.each(Object.keys(damages))('an archive with %s is refused and changes nothing', async name => {
  const setting = await setUp();
  await expectRefused(setting, (damages[name] as (tar: Buffer) => Buffer)(gunzipSync(pack(setting.draft))));
});

test.each(['{', 'null', '[]', '{"version":1}', '{"version":1,"covered":[{}],"files":[],"skipped":[],"parts":[]}'])(
  'a manifest that reads %s is refused',
  async text => {
    const setting = await setUp();
    await expectRefused(setting, pack(setting.draft, text));
  },
);

test('an archive that is a link or a FIFO is refused without following or waiting', async () => {
  const { base, world, draft } = await setUp();
  writeFileSync(join(base, 'elsewhere'), pack(draft));
  symlinkSync(join(base, 'elsewhere'), world.file);
  await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'invalid' });
  rmSync(world.file);
  execFileSync('mkfifo', [world.file]);
  await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'invalid' });
  rmSync(world.file);
  await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'refused' });
});

test('a set-uid program does not come out of an archive', async () => {
  const { world, draft } = await setUp();
  for (const item of draft.items) item.entry.mode = 0o6755;
  writeFileSync(world.file, pack(draft));
  await rollbackCheckpoint(world);
  expect(statSync(join(world.workspace, 'one.txt')).mode & 0o7777).toBe(0o755);
});

test('places, .baton and parents swapped for links that lead out are refused', async () => {
  const { base, world, draft } = await setUp();
  writeFileSync(world.file, pack(draft));
  const canary = await listing(join(base, 'canary'));
  rmSync(join(world.workspace, '.baton'), { recursive: true });
  symlinkSync(join(base, 'canary'), join(world.workspace, '.baton'));
  await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'refused' });
  rmSync(join(world.workspace, '.baton'));
  const below = { ...world, covered: [...world.covered, join(world.workspace, 'out/x')] };
  await makeCheckpoint(below);
  rmSync(join(world.workspace, 'out'), { recursive: true });
  symlinkSync(join(base, 'canary'), join(world.workspace, 'out'));
  await expect(rollbackCheckpoint(below)).rejects.toMatchObject({ code: 'refused' });
  rmSync(join(world.workspace, 'out'));
  symlinkSync('src', join(world.workspace, 'out'));
  await expect(rollbackCheckpoint(below)).rejects.toBeInstanceOf(Fault);
  rmSync(join(world.workspace, 'one.txt'));
  symlinkSync(join(base, 'canary/sub/file'), join(world.workspace, 'one.txt'));
  await makeCheckpoint({ ...world, file: join(world.workspace, 'checkpoint/2') });
  writeFileSync(world.file, pack(draft));
  await rollbackCheckpoint(world);
  expect(lstatSync(join(world.workspace, 'one.txt')).isFile()).toBe(true);
  expect(await listing(join(base, 'canary'))).toEqual(canary);
});

test('a pipe named by a forged archive is moved through no link', async () => {
  const { base, world, draft } = await setUp();
  const at = (name: string) => join(world.workspace, name);
  const out = join(base, 'canary');
  const [, folder] = draft.manifest.covered;
  draft.items.push(linkItem('roots/1/out', out), linkItem('roots/1/in', 'sub'));
  draft.manifest.skipped = ['roots/1/out/p', 'roots/1/../p', 'roots/1//p', 'roots/9/p', 'roots/1/from/p', 'x', ''];
  writeFileSync(world.file, pack(draft));
  for (const name of ['out', 'from']) rmSync(join(folder!.path, name), { recursive: true, force: true });
  mkdirSync(join(folder!.path, 'out'), { recursive: true });
  symlinkSync(out, join(folder!.path, 'from'));
  execFileSync('mkfifo', [join(folder!.path, 'out/p'), join(out, 'p'), at('p')]);
  const canary = await listing(out);
  await rollbackCheckpoint(world);
  expect(await listing(out)).toEqual(canary);
  expect(lstatSync(at('p')).isFIFO()).toBe(true);
  expect(lstatSync(join(folder!.path, 'out')).isSymbolicLink()).toBe(true);
});

test('reading one file of a forged archive is refused too', async () => {
  const { world, draft } = await setUp();
  draft.manifest.parts = [0, 5, 10];
  writeFileSync(world.file, pack(draft));
  const checkpoint = await openCheckpoint(world.file);
  await expect(checkpoint.read(join(world.workspace, 'one.txt'))).rejects.toBeInstanceOf(Fault);
});
