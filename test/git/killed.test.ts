// kill -9 of the committing process between two of its git calls, then the same order again.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isFull } from '../test-size.ts';
import {
  busyRepository,
  commit,
  commitsWith,
  documentText,
  filesIn,
  find,
  git,
  hook,
  ID,
  look,
  MESSAGE,
  put,
  type World,
} from './small-repository.ts';

const program = new URL('./commit-there.ts', import.meta.url).pathname;
const realGit = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
const FILES = ['docs/HANDOFF.md', 'docs/archive.md'];

const places: Record<string, (world: World) => void> = {
  branch: () => {},
  ref: world => hook(world.folder, 'commit-msg', 'exit 1'),
  own: world => put(world.folder, '.git/HEAD', 'rubbish\n'),
};

function prepared(place: string): World {
  const world = busyRepository();
  put(world.folder, 'docs/HANDOFF.md', documentText());
  put(world.folder, 'docs/archive.md', 'old\n');
  places[place]!(world);
  // Kills its parent, the committing process, instead of doing its work when its turn has come.
  const count = `n=$(cat "$COUNT" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "$COUNT"`;
  put(
    world.base,
    'bin/git',
    `#!/bin/sh\n${count}\ntest $n = "$KILL_AT" && { kill -9 $PPID; exit 9; }\nexec ${realGit} "$@"\n`,
  );
  chmodSync(path.join(world.base, 'bin/git'), 0o755);
  return world;
}

function commitKilledAt(world: World, moment: number): { isKilled: boolean; calls: number } {
  const count = path.join(world.base, 'count');
  const order = {
    folder: world.folder,
    files: FILES,
    removed: [],
    message: MESSAGE,
    handoffId: ID,
    ownRepository: world.own,
  };
  const PATH = `${path.join(world.base, 'bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH, TMPDIR: world.base, COUNT: count, KILL_AT: String(moment) };
  const ran = spawnSync(process.execPath, [program, JSON.stringify(order)], { env, encoding: 'utf8' });
  if (ran.status !== 0 && ran.signal !== 'SIGKILL') throw new Error(ran.stderr);
  return { isKilled: ran.signal === 'SIGKILL', calls: existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0 };
}

test.each(Object.keys(places))(
  'killed between any two git calls and repeated, the commit to the %s is made once',
  { timeout: 600_000 },
  async place => {
    const { calls } = commitKilledAt(prepared(place), 0);
    expect(calls).toBeGreaterThan(10);
    const every = Array.from({ length: calls }, (_, at) => at + 1);
    // The last calls are where the visible effects are.
    const moments = isFull ? every : place === 'branch' ? every.slice(-6) : [every.at(-1)!, every.at(-4)!];
    for (const moment of moments) {
      const world = prepared(place);
      const before = place === 'own' ? null : look(world.folder);
      expect(commitKilledAt(world, moment).isKilled, `call ${moment} of ${calls}`).toBe(true);
      if (before !== null) {
        // An orphaned git gives a prepared change up when its input ends, and takes its own locks along.
        await expect.poll(() => look(world.folder).locks, { timeout: 5000 }).toEqual([]);
        const half = look(world.folder);
        // A commit may already be there; nothing else may be.
        expect({ ...half, head: before.head }, `call ${moment} of ${calls}`).toEqual(before);
      }
      const done = await commit(world, { files: FILES });
      expect(done.place).toBe(place);
      expect(await find(world, { files: FILES })).toEqual(done);
      if (before === null) {
        expect(git(world.own, 'rev-list', '--count', '--all')).toBe('1');
        continue;
      }
      expect(look(world.folder)).toEqual({ ...before, head: place === 'branch' ? done.sha : before.head });
      expect(commitsWith(world.folder)).toEqual([done.sha]);
      expect(filesIn(world.folder, done.sha)).toEqual(['M\tdocs/HANDOFF.md', 'A\tdocs/archive.md']);
      if (place === 'branch') expect(git(world.folder, 'status', '--porcelain=v2', '--', 'docs')).toBe('');
    }
  },
);
