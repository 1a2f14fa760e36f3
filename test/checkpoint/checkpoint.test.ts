import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCheckpoint } from '../../src/checkpoint/make-checkpoint.ts';
import { openCheckpoint, readCheckpointFile } from '../../src/checkpoint/read-checkpoint.ts';
import { rollbackCheckpoint } from '../../src/checkpoint/restore-checkpoint.ts';
import { PathEscape } from '../../src/files/guard-path.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { listing, makeWorld } from './small-world.ts';

test('a rollback restores content, modes, times, links and absence exactly, and nothing else', async () => {
  const { base, world } = makeWorld();
  const at = (name: string) => join(world.workspace, name);
  const before = await listing(...world.covered);
  const canary = await listing(join(base, 'canary'));
  const made = await makeCheckpoint(world);
  expect(made.bytes).toBe(statSync(world.file).size);
  expect(statSync(world.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(at('checkpoint'))).toEqual(['checkpoint.tar.gz']);

  chmodSync(at('src/deep'), 0o755);
  rmSync(at('src/deep/run.sh'));
  mkdirSync(at('src/deep/run.sh'));
  appendFileSync(at('one.txt'), ' changed');
  rmSync(at('as-link'));
  mkdirSync(at('as-link/now-a-folder'), { recursive: true });
  mkdirSync(at('out/new'));
  writeFileSync(at('out/new/made'), 'by an agent');
  mkdirSync(at('out/missing/deep'), { recursive: true });
  rmSync(join(base, 'other/place'), { recursive: true });
  writeFileSync(at('uncovered'), 'changed and kept');

  const { restored } = await rollbackCheckpoint(world);
  expect(restored.toSorted()).toEqual(world.covered.toSorted());
  expect(await listing(...world.covered)).toEqual(before);
  expect(await listing(join(base, 'canary'))).toEqual(canary);
  expect(readFileSync(at('uncovered'), 'utf8')).toBe('changed and kept');
  expect(readdirSync(at('.baton'))).toEqual([]);
});

test('the archive is an ordinary one for tar', async () => {
  const { world } = makeWorld();
  const { entries } = await makeCheckpoint(world);
  const names = execFileSync('tar', ['-tzf', world.file, '--quoting-style=literal'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(names[0]).toBe('manifest.json');
  expect(names.length).toBe(entries + 1);
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', world.file, 'manifest.json'], { encoding: 'utf8' }));
  expect(names.slice(1).map(name => name.replace(/\/$/, ''))).toEqual(
    manifest.files.map((file: { name: string }) => file.name),
  );
  const goal = tempFolder();
  execFileSync('tar', ['-xzf', world.file, '-C', goal]);
  const index = manifest.covered.findIndex((covered: { path: string }) => covered.path.endsWith('/src'));
  const strip = (lines: string[]) => lines.map(line => line.replace(/^.*?\/(?:src|roots\/\d+)(?=[/ ])/, ''));
  expect(strip(await listing(join(goal, 'roots', String(index))))).toEqual(
    strip(await listing(join(world.workspace, 'src'))),
  );
});

test('single files can be read back from any part of it', async () => {
  const { world } = makeWorld();
  const big = randomBytes(9 * 1024 * 1024);
  writeFileSync(join(world.workspace, 'src/big'), big);
  for (let count = 0; count < 30; count += 1)
    writeFileSync(join(world.workspace, `src/n${count}`), randomBytes(100_000 + count));
  await makeCheckpoint(world);
  const checkpoint = await openCheckpoint(world.file);
  expect(checkpoint.manifest.parts.length).toBeGreaterThan(4);
  expect((await checkpoint.read(join(world.workspace, 'src/big')))?.equals(big)).toBe(true);
  for (let count = 0; count < 30; count += 1) {
    const path = join(world.workspace, `src/n${count}`);
    expect((await checkpoint.read(path))?.equals(readFileSync(path)), path).toBe(true);
  }
  expect((await readCheckpointFile(world.file, join(world.workspace, 'one.txt')))?.toString()).toBe('one');
  expect((await checkpoint.read(join(world.workspace, 'src/empty')))?.length).toBe(0);
  for (const name of ['src', 'src/link', 'as-link', 'src/none', 'uncovered', 'out/new', 'one.txt/x']) {
    expect(await checkpoint.read(join(world.workspace, name)), name).toBe(null);
  }
  rmSync(join(world.workspace, 'src'), { recursive: true });
  await rollbackCheckpoint(world);
  expect(readFileSync(join(world.workspace, 'src/big')).equals(big)).toBe(true);
});

test('overlapping places count once, also when they are named through a link', async () => {
  const { world } = makeWorld();
  symlinkSync('src', join(world.workspace, 'alias'));
  const covered = [
    ...world.covered,
    join(world.workspace, 'src/deep'),
    join(world.workspace, 'alias/deep'),
    join(world.workspace, 'src'),
  ];
  const before = await listing(...world.covered);
  await makeCheckpoint({ ...world, covered });
  const { manifest } = await openCheckpoint(world.file);
  expect(manifest.covered.map(place => place.path).toSorted()).toEqual(world.covered.toSorted());
  await rollbackCheckpoint({ ...world, covered });
  expect(await listing(...world.covered)).toEqual(before);
});

test('a pipe that was there stays there through a rollback, one that came later goes', async () => {
  const { world } = makeWorld();
  const at = (name: string) => join(world.workspace, name);
  execFileSync('mkfifo', [at('src/fifo')]);
  await makeCheckpoint(world);
  const before = await listing(...world.covered);
  writeFileSync(at('src/new'), 'new');
  execFileSync('mkfifo', [at('src/later')]);
  await rollbackCheckpoint(world);
  expect(await listing(...world.covered)).toEqual(before);
  expect(lstatSync(at('src/fifo')).isFIFO()).toBe(true);
});

test('special files are skipped and named, and names that are no UTF-8 are refused', async () => {
  const { world } = makeWorld();
  execFileSync('mkfifo', [join(world.workspace, 'src/fifo'), join(world.workspace, 'out/new')]);
  await makeCheckpoint(world);
  const { manifest } = await openCheckpoint(world.file);
  expect(manifest.skipped.map(name => name.replace(/\d+/, 'n')).toSorted()).toEqual(['roots/n', 'roots/n/fifo']);
  await rollbackCheckpoint(world);
  expect(statSync(join(world.workspace, 'out/new')).isFIFO()).toBe(true);
  writeFileSync(Buffer.concat([Buffer.from(`${world.workspace}/src/`), Buffer.from([0xff])]), '');
  await expect(makeCheckpoint(world)).rejects.toMatchObject({ code: 'invalid' });
});

test("places outside the roots, the workspace itself and Baton's own files are refused", async () => {
  const { base, world } = makeWorld();
  symlinkSync(join(base, 'canary'), join(world.workspace, 'way-out'));
  for (const path of ['../canary', 'way-out/sub', '../other', '..']) {
    const covered = [join(world.workspace, path)];
    await expect(makeCheckpoint({ ...world, covered }), path).rejects.toBeInstanceOf(PathEscape);
  }
  const wide = { ...world, roots: [base] };
  for (const path of ['', 'checkpoint', 'checkpoint/checkpoint.tar.gz', '.baton', '.baton/x']) {
    const covered = [join(world.workspace, path)];
    await expect(makeCheckpoint({ ...wide, covered }), path).rejects.toMatchObject({ code: 'invalid' });
  }
  expect(existsSync(world.file)).toBe(false);
});

test('files that change while they are read leave a sound archive', async () => {
  const { world } = makeWorld();
  const files = ['a', 'b', 'c'].map(name => join(world.workspace, `src/${name}`));
  for (const [index, file] of files.entries()) writeFileSync(file, randomBytes(index === 0 ? 20_000_000 : 500_000));
  let making = true;
  const made = makeCheckpoint(world).finally(() => {
    making = false;
  });
  for (let round = 0; making; round += 1) {
    for (const file of files) round % 2 === 0 ? truncateSync(file, 1000) : appendFileSync(file, randomBytes(300_000));
    await new Promise(setImmediate);
  }
  await made;
  const checkpoint = await openCheckpoint(world.file);
  for (const file of files) expect(await checkpoint.read(file)).toBeInstanceOf(Buffer);
  await rollbackCheckpoint(world);
  for (const file of files) expect(readFileSync(file).equals((await checkpoint.read(file)) as Buffer)).toBe(true);
});

test('a place on another file system is restored too', async () => {
  const { base, world } = makeWorld();
  const far = tempFolder('/dev/shm');
  expect(statSync(far).dev).not.toBe(statSync(base).dev);
  mkdirSync(join(far, 'tree/sub'), { recursive: true });
  writeFileSync(join(far, 'tree/sub/x'), 'far');
  symlinkSync('sub/x', join(far, 'tree/link'));
  const wide = {
    ...world,
    roots: [...world.roots, far],
    covered: [...world.covered, join(far, 'tree'), join(far, 'new')],
  };
  const before = await listing(...wide.covered);
  await makeCheckpoint(wide);
  writeFileSync(join(far, 'tree/sub/x'), 'changed');
  renameSync(join(far, 'tree/link'), join(far, 'new'));
  await rollbackCheckpoint(wide);
  expect(await listing(...wide.covered)).toEqual(before);
  expect(readdirSync(far)).toEqual(['tree']);
});
