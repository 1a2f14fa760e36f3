// Edge cases of the seed that no other real test has: a document that is too long, checks and wishes that come thick
// and fast at the threshold, and a handoff that falls due in the middle of talking with workers.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeCycleWorld, until } from './cycle-world.ts';

const LIMIT = { timeout: 120_000 };
const asked = (world: Awaited<ReturnType<typeof makeCycleWorld>>) =>
  world.practice.requests().filter(({ rule, kind }) => rule === 'handoff' && kind === 'prompt');

test(
  'a document over handoff_size_threshold goes to the archive, and move and new one are one commit',
  LIMIT,
  async () => {
    const world = await makeCycleWorld({ settings: { handoff_size_threshold: 100 } });
    const long = `# Orchestration Handoff\n${'- one more line\n'.repeat(150)}`;
    mkdirSync(world.at('work', 'docs'));
    writeFileSync(world.at('work', 'docs', 'HANDOFF.md'), long);
    world.git('add', 'docs');
    world.git('commit', '-q', '-m', 'A long document');
    for (const part of [1, 2, 3]) await world.prompt(`work on part ${part}`);
    await until(() => !world.ear.isTurnOpen());
    world.watch();
    await until(
      () => world.records().length === 1,
      60_000,
      () => JSON.stringify(world.said),
    );
    const [record] = world.records();
    expect(record).toMatchObject({ outcome: 'closed', written_by: 'agent', archived: [expect.any(String)] });
    const [name] = readdirSync(world.at('work', 'docs', 'HANDOFF-archive'));
    expect(name).toMatch(/^HANDOFF-\d{4}-\d\d-\d\d-\d{4}\.md$/);
    expect(readFileSync(world.at('work', 'docs', 'HANDOFF-archive', name!), 'utf8')).toBe(long);
    expect(readFileSync(world.at('work', 'docs', 'HANDOFF.md'), 'utf8').split('\n').length).toBeLessThan(100);
    const names = world.git('show', '--format=', '--name-only', '--no-renames', record!.commit!.sha).split('\n');
    expect(names.toSorted()).toEqual([`docs/HANDOFF-archive/${name}`, 'docs/HANDOFF.md'].toSorted());
    expect(world.git('rev-list', '--count', 'HEAD')).toBe('3');
    expect(world.git('status', '--porcelain')).toBe('');
  },
);

test(
  'a merge conflict in HANDOFF.md: both sides are kept, flagged, in the commit, and the merge is left as it is',
  LIMIT,
  async () => {
    const world = await makeCycleWorld();
    const side = (text: string, message: string) => {
      mkdirSync(world.at('work', 'docs'), { recursive: true });
      writeFileSync(world.at('work', 'docs', 'HANDOFF.md'), `# Orchestration Handoff\n\n${text}\n`);
      world.git('add', 'docs');
      world.git('commit', '-q', '-m', message);
    };
    side('before', 'Document');
    world.git('checkout', '-q', '-b', 'other');
    side('what they know', 'Theirs');
    world.git('checkout', '-q', 'main');
    side('what we know', 'Ours');
    expect(() => world.git('merge', '-q', 'other')).toThrow();
    const head = world.git('rev-parse', 'HEAD');
    for (const part of [1, 2, 3]) await world.prompt(`work on part ${part}`);
    await until(() => !world.ear.isTurnOpen());
    world.watch();
    await until(
      () => world.records().length === 1,
      60_000,
      () => JSON.stringify(world.said),
    );
    const [record] = world.records();
    expect(record).toMatchObject({ outcome: 'closed', written_by: 'agent', commit: { place: 'ref' } });
    expect(record!.notes.join()).toContain('merge conflict: both sides are kept');
    const [name] = readdirSync(world.at('work', 'docs', 'HANDOFF-archive'));
    const kept = world.git('show', `${record!.commit!.sha}:docs/HANDOFF-archive/${name}`);
    expect(kept).toMatch(
      /CONFLICT 1: both sides are kept[\s\S]*what we know[\s\S]*the other side[\s\S]*what they know/,
    );
    expect(kept).not.toMatch(/^[<=>]{7}/m);
    expect(world.git('show', `${record!.commit!.sha}:docs/HANDOFF.md`)).toContain(`Handoff-Id: ${record!.id}`);
    // Theirs to resolve: neither HEAD nor the index has moved.
    expect([world.git('rev-parse', 'HEAD'), world.git('ls-files', '-u').split('\n').length]).toEqual([head, 3]);
  },
);

test('many readings around the threshold and several wishes at once make one handoff', LIMIT, async () => {
  const world = await makeCycleWorld({ set: { start: 58_000, step: 1500 } });
  const watch = world.watch();
  // 58k, 59.5k, 61k: below, below, over; the status line is called several times in each turn.
  for (const part of [1, 2, 3]) {
    if (world.status()?.handoff != null) break;
    await world.prompt(`work on part ${part}`);
  }
  const answers = await Promise.all(Array.from({ length: 4 }, () => watch.handoffNow('manual')));
  await until(
    () => world.records().length > 0 && world.status()?.handoff === null,
    60_000,
    () => answers.join('\n'),
  );
  await new Promise(resolve => setTimeout(resolve, 4000));
  expect(world.records().map(({ outcome }) => outcome)).toEqual(['closed']);
  expect(asked(world)).toHaveLength(1);
  expect(answers.filter(answer => answer.startsWith('begun')).length).toBeLessThanOrEqual(1);
});
