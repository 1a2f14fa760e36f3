import { chmodSync, lutimesSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCheckpoint } from '../../src/checkpoint/make-checkpoint.ts';
import { rollbackCheckpoint } from '../../src/checkpoint/restore-checkpoint.ts';
import { removeTree } from '../../src/files/move-tree.ts';
import { size } from '../test-size.ts';
import { listing } from './small-world.ts';

const runs = size(30, 500);

const names = ['a', 'b', 'ü', 'with space', '-rf', 'x'.repeat(120), '\n', 'é\u0301', '.hidden', "'quote"];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'));
// Before 1970 Node sets whole seconds only.
const time = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000_000_000 }).map(micros => micros / 1e6),
  fc.integer({ min: -1_000_000, max: 0 }).map(seconds => new Date(seconds * 1000)),
);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.integer({ max: 5000, min: 500 }).map(size => new Uint8Array(size)),
);
const target = fc.oneof(path, fc.constantFrom('/etc/passwd', '..', '../../..', 'a', `long/${'y'.repeat(150)}`));

const item = fc.record({
  path,
  what: fc.oneof(
    fc.record({ kind: fc.constant('file' as const), content }),
    fc.record({ kind: fc.constant('folder' as const) }),
    fc.record({ kind: fc.constant('symlink' as const), target }),
    fc.record({ kind: fc.constant('gone' as const) }),
  ),
  mode: fc.integer({ min: 0, max: 0o777 }),
  time,
});
type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;

// What cannot be made where something else already stands is left out.
async function apply(root: string, items: readonly Item[]): Promise<void> {
  for (const { path, what, mode, time } of items) {
    const goal = join(root, path);
    try {
      await removeTree(goal);
      if (what.kind === 'gone') continue;
      mkdirSync(dirname(goal), { recursive: true });
      if (what.kind === 'file') writeFileSync(goal, what.content);
      else if (what.kind === 'folder') mkdirSync(goal);
      else symlinkSync(what.target, goal);
      // Folders stay open for their owner so that the test also runs as an ordinary user.
      if (what.kind !== 'symlink') chmodSync(goal, what.kind === 'folder' ? mode | 0o700 : mode | 0o400);
      lutimesSync(goal, time, time);
    } catch (error) {
      if (!['ENOTDIR', 'EEXIST', 'ENOENT', 'EISDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
}

test(
  'whatever happened to the places, a rollback brings back exactly what was there',
  async () => {
    const few = fc.array(item, { maxLength: 14 });
    const covered = fc.uniqueArray(path, { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(few, few, few, covered, async (first, second, outside, places) => {
      const base = realpathSync(mkdtempSync(join(tmpdir(), 'baton-test-')));
      try {
        const workspace = join(base, 'ws');
        mkdirSync(join(workspace, 'in'), { recursive: true });
        const away = join(base, 'away');
        await apply(away, outside);
        await apply(join(workspace, 'in'), first);
        const untouched = await listing(away);
        // A place below a link leads elsewhere; such a request is refused long before.
        const plain = places.map(place => join(workspace, 'in', place.split('/')[0] ?? 'a'));
        const world = { workspace, covered: plain, roots: [workspace], file: join(workspace, 'cp/c.tar.gz') };
        const before = await listing(...plain);
        await makeCheckpoint(world);
        await apply(join(workspace, 'in'), second);
        await rollbackCheckpoint(world);
        expect(await listing(...plain)).toEqual(before);
        expect(await listing(away)).toEqual(untouched);
      } finally {
        await removeTree(base);
      }
    });
    await fc.assert(property, { numRuns: runs });
  },
  Math.max(30_000, runs * 1000),
);
