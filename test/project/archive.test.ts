import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveDocument, findArchived, listArchive } from '../../src/project/archive.ts';
import { everythingIn, makeProject } from './project-world.ts';

const now = new Date('2025-01-20T14:30:12Z');
const NAME = 'HANDOFF-2025-01-20-1430.md';
const file = (name: string) => `docs/HANDOFF-archive/${name}`;

let project: ReturnType<typeof makeProject>;
beforeEach(async () => {
  project = makeProject();
  await project.init();
  project.git('add', '.');
  project.git('commit', '-q', '-m', 'ready');
  project.write('docs/HANDOFF.md', 'the state\n');
});
afterEach(() => project.end());

test('archive moves the document under its time, begins a fresh one and commits exactly these two', async () => {
  const { name, commit } = await project.archive(now);
  expect(name).toBe(NAME);
  expect(project.read(file(NAME))).toBe('the state\n');
  expect(project.read('docs/HANDOFF.md')).toBe(project.read('docs/HANDOFF-template.md'));
  expect(commit).toMatchObject({ place: 'branch', sha: project.git('rev-parse', 'HEAD'), why: null });
  expect(project.git('show', '--name-only', '--format=%s', 'HEAD').split('\n').filter(Boolean)).toEqual([
    `docs: archive handoff as ${NAME}`,
    file(NAME), // the document is as it was at the last commit
  ]);
  expect(project.git('status', '--porcelain')).toBe('');
});

test('what is staged and what is changed elsewhere stays as it was', async () => {
  project.write('staged.txt', 'staged\n');
  project.git('add', 'staged.txt');
  project.write('staged.txt', 'staged and changed\n');
  project.write('CLAUDE.md', 'changed\n');
  project.write('new.txt', 'new\n');
  const [index, status] = [
    project.git('ls-files', '-s', 'staged.txt'),
    project.git('status', '--porcelain', '--', 'staged.txt', 'CLAUDE.md', 'new.txt'),
  ];
  await project.archive(now);
  expect(project.git('ls-files', '-s', 'staged.txt')).toBe(index);
  expect(project.git('status', '--porcelain')).toBe(status);
  expect(project.git('show', '--name-only', '--format=', 'HEAD')).not.toMatch(/staged|CLAUDE|new/);
});

test('two archives in one minute keep both, also when they happen at once', async () => {
  await project.archive(now);
  project.write('docs/HANDOFF.md', 'second\n');
  expect((await project.archive(now)).name).toBe('HANDOFF-2025-01-20-1430-2.md');
  project.write('docs/HANDOFF.md', 'third\n');
  const both = await Promise.allSettled([project.archive(now), project.archive(now)]);
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
  const names = (await listArchive(project.place)).map(({ name }) => name);
  const texts = names.map(name => project.read(file(name)));
  expect(texts).toContain('the state\n');
  expect(texts).toContain('second\n');
  expect(texts).toContain('third\n');
  expect(new Set(names).size).toBe(names.length);
});

test('a name that something else has taken is passed over, and that is left alone', async () => {
  mkdirSync(project.at(file(NAME)));
  symlinkSync('nowhere', project.at(file('HANDOFF-2025-01-20-1430-2.md')));
  expect((await project.archive(now)).name).toBe('HANDOFF-2025-01-20-1430-3.md');
  expect(project.everything()[file(NAME)]).toBe('folder');
});

test('the list is newest first, with -10 above -9 and nothing that is no document', async () => {
  for (const number of ['', '-2', '-9', '-10']) project.write(file(`HANDOFF-2025-01-20-1430${number}.md`), 'a\nb\n');
  project.write(file('HANDOFF-2025-01-19-0930.md'), 'old');
  project.write(file('picture.png'), 'x');
  const entries = await listArchive(project.place);
  expect(entries.map(({ name }) => name.slice(8, -3))).toEqual([
    '2025-01-20-1430-10',
    '2025-01-20-1430-9',
    '2025-01-20-1430-2',
    '2025-01-20-1430',
    '2025-01-19-0930',
  ]);
  expect(entries.map(({ lines }) => lines)).toEqual([2, 2, 2, 2, 1]);
});

test('an archived document is found by name, with or without its ending, or by a beginning only one has', async () => {
  for (const name of [NAME, 'HANDOFF-2025-01-19-0930.md']) project.write(file(name), 'x\n');
  for (const asked of [NAME, NAME.slice(0, -3), 'HANDOFF-2025-01-20']) {
    expect((await findArchived(project.place, asked)).name).toBe(NAME);
  }
  await expect(findArchived(project.place, 'HANDOFF-2025')).rejects.toThrow(/2 archived handoffs begin/);
  await expect(findArchived(project.place, 'HANDOFF-2025-01-21-1430.md')).rejects.toMatchObject({
    cure: expect.stringContaining(NAME),
  });
  for (const asked of ['../HANDOFF', '/etc/passwd', '']) {
    await expect(findArchived(project.place, asked)).rejects.toMatchObject({ code: 'invalid' });
  }
});

test('restore archives the present document first and brings the other back; no commit is rewritten', async () => {
  await project.archive(now);
  project.write('docs/HANDOFF.md', 'the present\n');
  const before = project.git('rev-list', 'HEAD').split('\n');
  const { name, commit } = await project.restore(NAME, now);
  expect(name).toBe('HANDOFF-2025-01-20-1430-2.md');
  expect(project.read(file(name!))).toBe('the present\n');
  expect(project.read('docs/HANDOFF.md')).toBe('the state\n');
  expect(project.read(file(NAME))).toBe('the state\n');
  expect(project.git('rev-list', 'HEAD').split('\n')).toEqual([commit!.sha, ...before]);
  expect(project.git('status', '--porcelain')).toBe('');
  await expect(project.restore(NAME, now)).rejects.toMatchObject({ code: 'refused' });
});

test('restore over the empty template or over nothing archives nothing', async () => {
  await project.archive(now);
  expect((await project.restore(NAME, now)).name).toBeNull();
  rmSync(project.at('docs/HANDOFF.md'));
  expect((await project.restore(NAME, now)).name).toBeNull();
  expect(project.read('docs/HANDOFF.md')).toBe('the state\n');
});

test('the empty template and a missing document are not archived', async () => {
  project.write('docs/HANDOFF.md', project.read('docs/HANDOFF-template.md'));
  await expect(project.archive(now)).rejects.toThrow(/still the empty template/);
  rmSync(project.at('docs/HANDOFF.md'));
  await expect(project.archive(now)).rejects.toMatchObject({ cure: expect.stringContaining('baton init') });
  expect(await listArchive(project.place)).toEqual([]);
});

test('bytes that are no UTF-8 are archived and restored as they are', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0x0d, 0x0a, 0x62]);
  project.write('docs/HANDOFF.md', bytes);
  await project.archive(now);
  expect(readFileSync(project.at(file(NAME)))).toEqual(bytes);
  await project.restore(NAME, now);
  expect(readFileSync(project.at('docs/HANDOFF.md'))).toEqual(bytes);
});

test('with auto_commit false the files are moved and nothing is committed', async () => {
  const head = project.git('rev-parse', 'HEAD');
  const place = { ...project.place, settings: { ...project.place.settings, auto_commit: false } };
  expect((await archiveDocument(place, now)).commit).toBeNull();
  expect(project.git('rev-parse', 'HEAD')).toBe(head);
  expect(project.read(file(NAME))).toBe('the state\n');
});

test('without a repository the archive works all the same, committed to one of Baton itself', async () => {
  const bare = makeProject({ isRepository: false });
  try {
    await bare.init();
    bare.write('docs/HANDOFF.md', 'the state\n');
    const { commit } = await bare.archive(now);
    expect(commit).toMatchObject({ place: 'own', repository: bare.place.ownRepository, why: expect.any(String) });
    expect(bare.read(file(NAME))).toBe('the state\n');
    expect(Object.keys(bare.everything())).not.toContain('.git');
  } finally {
    bare.end();
  }
});

test('a hook that refuses leaves the branch as it was; the commit is on a ref and says why', async () => {
  writeFileSync(project.at('.git/hooks/pre-commit'), '#!/bin/sh\necho no handoffs here >&2\nexit 1\n');
  chmodSync(project.at('.git/hooks/pre-commit'), 0o755);
  const head = project.git('rev-parse', 'HEAD');
  const { commit } = await project.archive(now);
  expect(commit).toMatchObject({ place: 'ref', why: expect.stringContaining('no handoffs here') });
  expect(project.git('rev-parse', 'HEAD')).toBe(head);
  expect(project.git('show', `${commit!.sha}:${file(NAME)}`)).toBe('the state');
});

test('an archive that is a symlink out of the project is refused, and nothing is touched', async () => {
  const outside = path.join(project.world, 'outside');
  mkdirSync(outside);
  rmSync(project.at('docs/HANDOFF-archive'), { recursive: true });
  symlinkSync(outside, project.at('docs/HANDOFF-archive'));
  const before = project.everything();
  await expect(project.archive(now)).rejects.toMatchObject({ code: 'refused' });
  expect(project.everything()).toEqual(before);
  expect(everythingIn(outside)).toEqual({});
});
