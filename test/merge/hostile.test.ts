import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readGuarded } from '../../src/merge/disk/read-guarded.ts';
import { listTree, makeWorld, put, type Tree } from './merge-world.ts';

const worldOf = (tree: Tree) => makeWorld([{ name: 'a', outputs: { code: { name: 'code', tree } } }]);

test.each<[string, Tree]>([
  ['absolute', { l: { link: '/etc/passwd' } }],
  ['out of its output', { l: { link: '../../secret' } }],
  ['out of its output', { 'd/l': { link: '../..' } }],
  ['out of its output', { 'p/q/r/up': { link: '../../..' }, l: { link: 'p/q/r/up/../secret' } }],
  ['never ends', { a: { link: 'b' }, b: { link: 'a' } }],
])('a link that is or leads %s fails the merge and is named', async (problem, tree) => {
  const world = worldOf({ ...tree, f: 'x' });
  const { result } = await world.run();
  expect(result).toMatchObject({ status: 'failed', merged_files: [], record: null });
  expect(result.reason).toContain(problem);
  expect(result.reason).toContain(world.in('outputs/a/code/code/'));
  expect(world.has('merged')).toBe(false);
});

test('a pipe or socket in an output fails the merge without being opened', async () => {
  const world = worldOf({ f: 'x' });
  execFileSync('mkfifo', [world.in('outputs/a/code/code/pipe')]);
  expect((await world.run()).result.reason).toContain('/pipe is a pipe, socket or device');
  rmSync(world.in('outputs/a/code/code/pipe'));
  const server = createServer().listen(world.in('outputs/a/code/code/s'));
  await new Promise(resolve => server.once('listening', resolve));
  expect((await world.run()).result.reason).toContain('/s is a pipe, socket or device');
  server.close();
});

test('an output that is a link, lies outside or is gone fails the merge', async () => {
  const world = worldOf({ f: 'x' });
  const root = world.in('outputs/a/code/code');
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'baton-else-'));
  put(path.join(elsewhere, 'code/f'), 'secret');
  renameSync(root, `${root}.old`);
  expect((await world.run()).result.reason).toContain('ENOENT');
  symlinkSync(path.join(elsewhere, 'code'), root);
  expect((await world.run()).result.reason).toContain('symbolic link');
  rmSync(world.in('outputs/a'), { recursive: true });
  mkdirSync(world.in('outputs/a'));
  symlinkSync(elsewhere, world.in('outputs/a/code'));
  expect((await world.run()).result.reason).toContain('outside the allowed folders');
  expect((await world.run({ allowedRoots: [world.workspace, elsewhere] })).result.status).toBe('success');
  rmSync(elsewhere, { recursive: true });
});

test('a file reached through a link that was swapped in is not read', async () => {
  const world = worldOf({ 'd/f': 'x' });
  put(world.in('secret/f'), 'secret');
  const source = world.in('outputs/a/code/code/d/f');
  expect(String((await readGuarded({ source, real: source })).body)).toBe('x');
  rmSync(world.in('outputs/a/code/code/d'), { recursive: true });
  symlinkSync(world.in('secret'), world.in('outputs/a/code/code/d'));
  await expect(readGuarded({ source, real: source })).rejects.toThrow('exchanged');
});

test('a name that is not UTF-8 fails the merge instead of being lost', async () => {
  const world = worldOf({ f: 'x' });
  const name = Buffer.concat([Buffer.from(world.in('outputs/a/code/code/')), Buffer.from([0xff, 0x41])]);
  writeFileSync(name, 'x');
  expect((await world.run()).result.reason).toContain('not UTF-8');
});

test('links planted where the merge writes lead nowhere', async () => {
  const agents = ['a', 'b'].map(name => ({ name, outputs: { o: { name: 'f', tree: name } } }));
  const world = makeWorld(agents);
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'baton-else-'));
  put(path.join(elsewhere, 'canary'), 'alive');
  for (const name of ['merged', 'merged.tmp']) symlinkSync(elsewhere, world.in(name));
  for (const name of ['conflicts.json', 'conflicts.json.tmp'])
    symlinkSync(path.join(elsewhere, 'canary'), world.in(name));
  expect((await world.run()).result.status).toBe('conflict');
  const id = world.conflicts().conflicts[0]!.id;
  expect((await world.run({ taken: { [id]: { agent: 'a' } } })).result.status).toBe('success');
  expect(listTree(elsewhere)).toEqual(['canary']);
  rmSync(world.in('merge'), { recursive: true });
  symlinkSync(elsewhere, world.in('merge'));
  expect((await world.run()).result).toMatchObject({ status: 'failed' });
  expect(listTree(elsewhere)).toEqual(['canary']);
  rmSync(elsewhere, { recursive: true });
});

test('an output that overlaps the folders of the merge is refused and stays where it is', async () => {
  const world = worldOf({ f: 'x' });
  put(world.in('merged/code/f'), 'mine');
  for (const root of [world.in('merged/code'), world.workspace, world.in('merge')]) {
    const agents = [{ name: 'a', dependencies: [], outputs: { code: root } }];
    expect((await world.run({ agents })).result).toMatchObject({ status: 'failed' });
  }
  expect(world.read('merged/code/f')).toBe('mine');
});
