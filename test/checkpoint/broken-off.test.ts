import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCheckpoint } from '../../src/checkpoint/make-checkpoint.ts';
import { rollbackCheckpoint } from '../../src/checkpoint/restore-checkpoint.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { listing, makeWorld } from './small-world.ts';

const program = new URL('./roll-back.ts', import.meta.url).pathname;

// A world with a checkpoint, then changed; one of its places stands on another file system.
async function changedWorld() {
  const { base, world } = makeWorld();
  const far = tempFolder('/dev/shm');
  mkdirSync(join(far, 'tree'));
  writeFileSync(join(far, 'tree/x'), 'far');
  const wide = {
    ...world,
    roots: [...world.roots, far],
    covered: [...world.covered, join(far, 'tree'), join(far, 'new')],
  };
  const then = await listing(...wide.covered);
  await makeCheckpoint(wide);
  const at = (name: string) => join(world.workspace, name);
  writeFileSync(at('one.txt'), 'changed');
  renameSync(at('src'), at('out/new'));
  mkdirSync(at('src'));
  rmSync(at('as-link'));
  writeFileSync(join(far, 'tree/x'), 'changed');
  writeFileSync(join(far, 'new'), 'new');
  const now = await listing(...wide.covered);
  return { base, far, world: wide, then, now };
}

async function countSteps(): Promise<string[]> {
  const { world } = await changedWorld();
  const steps: string[] = [];
  await rollbackCheckpoint({ ...world, onStep: step => void steps.push(step) });
  return steps;
}

test('a rollback that fails at any step puts everything back and can be repeated', async () => {
  const steps = await countSteps();
  expect(steps.length).toBeGreaterThan(15);
  const { base, far, world, then, now } = await changedWorld();
  const canary = await listing(join(base, 'canary'));
  for (const failing of steps.filter(step => step !== 'done')) {
    const onStep = (step: string) => {
      if (step === failing) throw new Error(`stopped at ${step}`);
    };
    await expect(rollbackCheckpoint({ ...world, onStep })).rejects.toThrow(`stopped at ${failing}`);
    expect(await listing(...world.covered), failing).toEqual(now);
    expect(readdirSync(join(world.workspace, '.baton'))).toEqual([]);
    expect(readdirSync(far).toSorted()).toEqual(['new', 'tree']);
  }
  await rollbackCheckpoint(world);
  expect(await listing(...world.covered)).toEqual(then);
  expect(await listing(join(base, 'canary'))).toEqual(canary);
});

test('a rollback killed at any step is undone or finished by the next call', async () => {
  const steps = await countSteps();
  for (const [index, step] of steps.entries()) {
    const { far, world, then, now } = await changedWorld();
    const { signal } = spawnSync(process.execPath, [program, JSON.stringify(world), String(index + 1)]);
    expect(signal, step).toBe('SIGKILL');
    expect(readdirSync(join(world.workspace, '.baton')).length).toBe(1);
    // With the archive damaged the next call cannot roll back, so that only the undoing shows.
    const archive = readFileSync(world.file);
    writeFileSync(world.file, 'damaged');
    await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'invalid' });
    expect(await listing(...world.covered), step).toEqual(step === 'done' ? then : now);
    writeFileSync(world.file, archive);
    await rollbackCheckpoint(world);
    expect(await listing(...world.covered), step).toEqual(then);
    expect(readdirSync(join(world.workspace, '.baton'))).toEqual([]);
    expect(readdirSync(far)).toEqual(['tree']);
  }
}, 240_000);

test('killed twice in a row is no worse than once', async () => {
  const { world, then } = await changedWorld();
  for (const at of [9, 14, 4]) spawnSync(process.execPath, [program, JSON.stringify(world), String(at)]);
  await rollbackCheckpoint(world);
  expect(await listing(...world.covered)).toEqual(then);
});

test('forged notes of an earlier rollback move nothing outside the places', async () => {
  const { base, world, now } = await changedWorld();
  const canary = await listing(join(base, 'canary'));
  const folder = join(world.workspace, '.baton/rollback-forged');
  const note = (value: unknown) => writeFileSync(join(folder, 'journal.json'), JSON.stringify(value));
  mkdirSync(join(folder, 'old'), { recursive: true });
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'old/0'), 'evil');
  const places = [join(base, 'canary')];
  const right = world.covered.toSorted();
  for (const value of [
    { version: 1, phase: 'swapping', at: 0, places, had: [false] },
    { version: 1, phase: 'swapping', at: 0, places, had: [true] },
    {
      version: 1,
      phase: 'swapping',
      at: 9,
      places: right.map(() => join(base, 'canary')),
      had: right.map(() => false),
    },
    { version: 1, phase: 'swapping', at: 0, places: right, had: [] },
    { version: 1, phase: 'swapping', at: 'x', places: right, had: right.map(() => true) },
    { phase: 'swapping' },
  ]) {
    note(value);
    await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'refused' });
  }
  rmSync(join(folder, 'old'), { recursive: true });
  symlinkSync(join(base, 'canary'), join(folder, 'old'));
  note({ version: 1, phase: 'swapping', at: 0, places: right, had: right.map(() => true) });
  await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'refused' });
  writeFileSync(join(folder, 'journal.json'), 'not json');
  await expect(rollbackCheckpoint(world)).rejects.toMatchObject({ code: 'refused' });
  expect(await listing(...world.covered)).toEqual(now);
  rmSync(folder, { recursive: true });
  symlinkSync(join(base, 'canary'), folder);
  await rollbackCheckpoint(world);
  expect(await listing(join(base, 'canary'))).toEqual(canary);
});
