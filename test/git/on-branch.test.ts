import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  busyRepository,
  commit,
  commitsWith,
  documentText,
  emptyRepository,
  filesIn,
  find,
  git,
  hook,
  ID,
  identify,
  look,
  put,
  tryGit,
  type Wish,
  type World,
} from './small-repository.ts';

// Commits, and shows that nothing but the handoff's own files is different afterwards.
async function commitsCleanly(world: World, wish: Wish & { own?: string[]; changed: string[] }) {
  const { folder } = world;
  const own = wish.own ?? ['docs'];
  const before = look(folder, own);
  const done = await commit(world, wish);
  const after = look(folder, own);
  expect(done).toMatchObject({ place: 'branch', why: null, repository: git(folder, 'rev-parse', '--show-toplevel') });
  expect(after).toEqual({ ...before, head: done.sha });
  expect(filesIn(folder, done.sha)).toEqual(wish.changed);
  expect(git(folder, 'log', '-1', '--format=%P', done.sha)).toBe(before.head);
  const paths = wish.changed.map(line => `:(top,literal)${line.split('\t')[1]!}`);
  expect(git(folder, 'status', '--porcelain=v2', '--', ...paths)).toBe('');
  expect(await find(world, wish)).toEqual(done);
  expect(await commit(world, wish)).toEqual(done);
  expect(look(folder, own)).toEqual(after);
  expect(commitsWith(folder)).toEqual([done.sha]);
  return done;
}

const changedDocument = (): World => {
  const world = busyRepository();
  put(world.folder, 'docs/HANDOFF.md', documentText());
  return world;
};

test('a changed document is committed alone; staged, unstaged and untracked files stay as they were', async () => {
  const world = changedDocument();
  const { sha } = await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  const [message, who] = git(world.folder, 'log', '-1', '--format=%B%x00%an <%ae>', sha).split('\0');
  expect(message).toBe(`docs: orchestrator handoff checkpoint\n\nHandoff-Id: ${ID}\n`);
  expect(who?.trim()).toBe('A User <user@example.invalid>');
  expect(git(world.folder, 'reflog', '-1', '--format=%gs')).toBe('commit: docs: orchestrator handoff checkpoint');
});

test('a document that git has never seen is added', async () => {
  const world = busyRepository();
  put(world.folder, 'docs/handoff/worker.md', documentText());
  await commitsCleanly(world, { files: ['docs/handoff/worker.md'], changed: ['A\tdocs/handoff/worker.md'] });
});

test('a document moved to the archive and its successor are one commit', async () => {
  const world = changedDocument();
  put(world.folder, 'docs/HANDOFF-archive/2026-01-01.md', '# Handoff\n\nold\n');
  const files = ['docs/HANDOFF.md', 'docs/HANDOFF-archive/2026-01-01.md'];
  await commitsCleanly(world, { files, changed: ['A\tdocs/HANDOFF-archive/2026-01-01.md', 'M\tdocs/HANDOFF.md'] });
});

test('a document moved away without a successor is removed by the commit', async () => {
  const world = busyRepository();
  git(world.folder, 'mv', 'docs/HANDOFF.md', 'docs/archived.md');
  git(world.folder, 'reset', '--quiet', '--', 'docs');
  put(world.folder, 'docs/archived.md', documentText());
  const wish = { files: ['docs/archived.md'], removed: ['docs/HANDOFF.md'] };
  await commitsCleanly(world, { ...wish, changed: ['D\tdocs/HANDOFF.md', 'A\tdocs/archived.md'] });
});

test('a removed file that git never knew is no obstacle', async () => {
  const world = changedDocument();
  await commitsCleanly(world, { removed: ['docs/never.md'], changed: ['M\tdocs/HANDOFF.md'] });
});

test('an older version of the document that was staged gives way to the one on disk', async () => {
  const world = changedDocument();
  git(world.folder, 'add', 'docs');
  put(world.folder, 'docs/HANDOFF.md', documentText(ID, 'Newer than what is staged.'));
  await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
});

test('a document that was only announced with add -N is committed', async () => {
  const world = busyRepository();
  put(world.folder, 'docs/new.md', documentText());
  git(world.folder, 'add', '-N', 'docs/new.md');
  await commitsCleanly(world, { files: ['docs/new.md'], changed: ['A\tdocs/new.md'] });
});

test('the first commit of an empty repository holds the document only', async () => {
  const world = emptyRepository();
  put(world.folder, 'docs/HANDOFF.md', documentText());
  put(world.folder, 'other.txt', 'staged\n');
  git(world.folder, 'add', 'other.txt');
  await commitsCleanly(world, { changed: ['A\tdocs/HANDOFF.md'] });
  expect(git(world.folder, 'reflog', '-1', '--format=%gs')).toContain('commit (initial): docs');
});

test('in an empty repository without an index file the document is committed', async () => {
  const world = emptyRepository();
  put(world.folder, 'docs/HANDOFF.md', documentText());
  await commitsCleanly(world, { changed: ['A\tdocs/HANDOFF.md'] });
});

test.each([
  ['core.splitIndex', 'true'],
  ['core.untrackedCache', 'true'],
  ['feature.manyFiles', 'true'],
  ['core.fileMode', 'false'],
  ['trailer.separators', '='],
  ['log.showSignature', 'true'],
  ['color.ui', 'always'],
])('with %s=%s the commit is the same', async (key, value) => {
  const world = changedDocument();
  git(world.folder, 'config', key, value);
  if (key === 'core.splitIndex') git(world.folder, 'update-index', '--split-index');
  else tryGit(world.folder, 'update-index', '-q', '--refresh');
  await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
});

test('a repository with sha256 names takes it', async () => {
  const world = emptyRepository();
  rmSync(path.join(world.folder, '.git'), { recursive: true });
  git(world.folder, 'init', '--quiet', '--object-format=sha256');
  identify(world.folder);
  put(world.folder, 'docs/HANDOFF.md', documentText());
  const { sha } = await commitsCleanly(world, { changed: ['A\tdocs/HANDOFF.md'] });
  expect(sha).toHaveLength(64);
});

test('an executable document keeps its mode', async () => {
  const world = changedDocument();
  chmodSync(path.join(world.folder, 'docs/HANDOFF.md'), 0o755);
  const { sha } = await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(git(world.folder, 'ls-tree', sha, 'docs/HANDOFF.md')).toMatch(/^100755/);
});

test('variables of another repository in our own environment lead nobody astray', async () => {
  const world = changedDocument();
  const other = busyRepository('other');
  const untouched = look(other.folder, []);
  process.env.GIT_DIR = path.join(other.folder, '.git');
  process.env.GIT_INDEX_FILE = path.join(other.folder, '.git/index');
  const done = await commit(world).finally(() => {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  });
  expect(done).toMatchObject({ place: 'branch', repository: world.folder });
  expect(look(other.folder, [])).toEqual(untouched);
});

test('three handoffs at once in one repository all come onto the branch, each with its own file', async () => {
  const world = busyRepository();
  const names = ['one', 'two', 'three'];
  for (const name of names) put(world.folder, `docs/handoff/${name}.md`, documentText(name));
  const before = look(world.folder);
  const done = await Promise.all(names.map(id => commit(world, { id, files: [`docs/handoff/${id}.md`] })));
  expect(done.map(({ place }) => place)).toEqual(['branch', 'branch', 'branch']);
  done.forEach(({ sha }, at) => void expect(filesIn(world.folder, sha)).toEqual([`A\tdocs/handoff/${names[at]}.md`]));
  expect(look(world.folder)).toEqual({ ...before, head: expect.any(String) });
  expect(git(world.folder, 'rev-list', '--count', 'HEAD')).toBe('4');
  expect(git(world.folder, 'status', '--porcelain=v2', '--', 'docs')).toBe('');
});

test('in a worktree its own branch gets the commit and the main one does not move', async () => {
  const main = busyRepository();
  const folder = path.join(main.base, 'tree two');
  git(main.folder, 'worktree', 'add', '--quiet', '-b', 'side', folder);
  const untouched = look(main.folder, []);
  const world = { ...main, folder };
  put(folder, 'docs/HANDOFF.md', documentText());
  put(folder, 'staged.txt', 'staged there\n');
  git(folder, 'add', 'staged.txt');
  await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(look(main.folder, [])).toEqual(untouched);
});

test('on a detached HEAD the commit stays findable after a checkout of something else', async () => {
  const world = changedDocument();
  git(world.folder, 'checkout', '--quiet', '--detach');
  const done = await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(git(world.folder, 'rev-parse', `refs/baton/handoff/${ID}`)).toBe(done.sha);
  git(world.folder, 'checkout', '--quiet', '--force', 'main');
  expect(await find(world)).toBe(null);
  put(world.folder, 'docs/HANDOFF.md', documentText());
  expect(await find(world)).toMatchObject({ sha: done.sha, place: 'ref' });
});

test('a repository whose root is above the folder takes it, with the path from its root', async () => {
  const above = busyRepository();
  const folder = path.join(above.folder, 'packages/app');
  put(folder, 'docs/HANDOFF.md', documentText());
  const before = look(above.folder, ['packages']);
  const done = await commit(above, { folder });
  expect(done).toMatchObject({ place: 'branch', repository: above.folder });
  expect(filesIn(above.folder, done.sha)).toEqual(['A\tpackages/app/docs/HANDOFF.md']);
  expect(look(above.folder, ['packages'])).toEqual({ ...before, head: done.sha });
  expect(await find(above, { folder })).toEqual(done);
});

test.each([
  'docs/with space.md',
  'docs/Übergabe — 引き継ぎ.md',
  'docs/*.md',
  'docs/:(top)odd.md',
  'docs/-n.md',
  'docs/quote"\'$(x).md',
])('the file name %s is taken literally', async name => {
  const world = busyRepository('project with space');
  put(world.folder, 'docs/HANDOFF.md', 'changed and not to be committed\n');
  put(world.folder, name, documentText());
  const before = look(world.folder, [path.basename(name)]);
  const done = await commit(world, { files: [name] });
  expect(done.place).toBe('branch');
  expect(git(world.folder, 'show', '-z', '--name-only', '--format=', done.sha).replace(/^\n/, '')).toBe(`${name}\0`);
  expect(git(world.folder, 'status', '--porcelain=v2', '--', `:(literal)${name}`)).toBe('');
  const after = look(world.folder, [path.basename(name)]);
  // Quoted names slip through the filter of this view, so the entries are compared without them.
  const others = (lines: string[]) => lines.filter(line => !line.includes('"'));
  expect({ ...after, index: others(after.index), flags: others(after.flags), status: [] }).toEqual({
    ...before,
    index: others(before.index),
    flags: others(before.flags),
    head: done.sha,
    status: [],
  });
  expect(others(after.status)).toEqual(others(before.status));
  expect(await find(world, { files: [name] })).toEqual(done);
});

test.each([
  ['true', '\r\n'],
  ['input', '\r\n'],
  ['true', '\n'],
  ['false', '\r\n'],
])('with core.autocrlf=%s a document with the line end %j is committed as git would store it', async (value, end) => {
  const world = busyRepository();
  git(world.folder, 'config', 'core.autocrlf', value);
  put(world.folder, 'docs/HANDOFF.md', documentText().replaceAll('\n', end));
  const { sha } = await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(git(world.folder, 'cat-file', 'blob', `${sha}:docs/HANDOFF.md`).includes('\r')).toBe(value === 'false');
});

test('in a sparse checkout the files left out stay left out', async () => {
  const world = busyRepository();
  git(world.folder, 'stash', '--quiet', '-u');
  put(world.folder, 'far/away.txt', 'x\n');
  git(world.folder, 'add', 'far');
  git(world.folder, 'commit', '--quiet', '-m', 'far');
  git(world.folder, 'sparse-checkout', 'set', '--cone', 'docs');
  put(world.folder, 'docs/HANDOFF.md', documentText());
  const marks = git(world.folder, 'ls-files', '-t');
  expect(marks).toContain('S far/away.txt');
  await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(git(world.folder, 'ls-files', '-t')).toBe(marks);
});

test('in a sparse checkout that leaves the docs folder out the document on disk is committed all the same', async () => {
  const world = busyRepository();
  git(world.folder, 'stash', '--quiet', '-u');
  put(world.folder, 'near/here.txt', 'x\n');
  git(world.folder, 'add', 'near');
  git(world.folder, 'commit', '--quiet', '-m', 'near');
  git(world.folder, 'sparse-checkout', 'set', '--cone', 'near');
  put(world.folder, 'docs/HANDOFF.md', documentText());
  await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
});

test('inside a submodule the submodule takes it, and of its parent only the pointer is seen to differ', async () => {
  const inner = busyRepository('inner');
  const outer = busyRepository('outer');
  git(outer.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'part');
  const folder = path.join(outer.folder, 'part');
  git(folder, 'config', 'user.name', 'A User');
  git(folder, 'config', 'user.email', 'user@example.invalid');
  const before = look(outer.folder, [' part']);
  put(folder, 'docs/HANDOFF.md', documentText());
  await commitsCleanly({ ...outer, folder }, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(look(outer.folder, [' part'])).toEqual({ ...before, tree: expect.any(String) });
});

test('beside a submodule the project takes it and the submodule stays as it was', async () => {
  const inner = busyRepository('inner');
  const world = changedDocument();
  git(world.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'part');
  await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
});

test('through a linked docs folder the commit holds the real path', async () => {
  const world = changedDocument();
  const link = path.join(world.base, 'link');
  symlinkSync(world.folder, link);
  const before = look(world.folder);
  const done = await commit(world, { folder: link });
  expect(filesIn(world.folder, done.sha)).toEqual(['M\tdocs/HANDOFF.md']);
  expect(look(world.folder)).toEqual({ ...before, head: done.sha });
});

test('the hooks run in their order, see exactly the handoff staged, and may add to the message', async () => {
  const world = changedDocument();
  const log = path.join(world.base, 'log');
  hook(world.folder, 'pre-commit', `echo "pre-commit $(git diff --cached --name-only | tr '\\n' ' ')" >> '${log}'`);
  hook(world.folder, 'prepare-commit-msg', `echo "prepare-commit-msg $2" >> '${log}'`);
  hook(world.folder, 'commit-msg', `echo commit-msg >> '${log}'; echo 'Change-Id: I1' >> "$1"`);
  hook(world.folder, 'post-commit', `echo "post-commit $(git log -1 --format=%s)" >> '${log}'; exit 1`);
  const { sha } = await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    'pre-commit docs/HANDOFF.md ',
    'prepare-commit-msg message',
    'commit-msg',
    'post-commit docs: orchestrator handoff checkpoint',
  ]);
  expect(git(world.folder, 'log', '-1', '--format=%(trailers:only)', sha)).toBe(`Handoff-Id: ${ID}\nChange-Id: I1\n`);
});

test('a hook that formats the document is taken at its word: the formatted one is committed', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', "sed -i 's/blocked/BLOCKED/' docs/HANDOFF.md; git add docs/HANDOFF.md");
  const before = look(world.folder);
  const done = await commit(world);
  expect(done.place).toBe('branch');
  expect(git(world.folder, 'show', `${done.sha}:docs/HANDOFF.md`)).toContain('BLOCKED');
  expect(look(world.folder)).toEqual({ ...before, head: done.sha, tree: expect.any(String) });
  expect(await find(world)).toEqual(done);
});

test('a hook that formats without adding does not make the commit differ from the disk', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', "sed -i 's/blocked/BLOCKED/' docs/HANDOFF.md");
  const done = await commit(world);
  expect(done.place).toBe('branch');
  expect(git(world.folder, 'show', `${done.sha}:docs/HANDOFF.md`)).toContain('BLOCKED');
  expect(commitsWith(world.folder)).toEqual([done.sha]);
});

test('a signed commit carries the signature that the project asks for', async () => {
  const world = changedDocument();
  const program = path.join(world.base, 'sign');
  const script =
    "cat > /dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; printf '%s\\n' '-----BEGIN PGP SIGNATURE-----' 'x' '-----END PGP SIGNATURE-----'";
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  git(world.folder, 'config', 'gpg.program', program);
  git(world.folder, 'config', 'commit.gpgSign', 'true');
  const { sha } = await commitsCleanly(world, { changed: ['M\tdocs/HANDOFF.md'] });
  expect(git(world.folder, 'cat-file', 'commit', sha)).toContain('gpgsig -----BEGIN PGP SIGNATURE-----');
});

test('a branch that moves while the hooks run gets the commit on top of its new tip', async () => {
  const world = changedDocument();
  const flag = path.join(world.base, 'once');
  const other = `GIT_INDEX_FILE='${world.base}/other' git commit-tree -p HEAD -m other 'HEAD^{tree}'`;
  hook(world.folder, 'pre-commit', `test -e '${flag}' && exit 0; touch '${flag}'; git update-ref HEAD "$(${other})"`);
  const before = look(world.folder);
  const done = await commit(world);
  expect(done.place).toBe('branch');
  expect(git(world.folder, 'log', '-2', '--format=%s', done.sha).split('\n')[1]).toBe('other');
  expect(look(world.folder)).toEqual({ ...before, head: done.sha });
});

test('the same id with a document changed since gets a second commit on top, and the first one stays', async () => {
  const world = changedDocument();
  const first = await commit(world);
  put(world.folder, 'docs/HANDOFF.md', documentText(ID, 'Changed after the commit.'));
  expect(await find(world)).toBe(null);
  const second = await commit(world);
  expect(git(world.folder, 'rev-parse', `${second.sha}^`)).toBe(first.sha);
});

test("the agent's own commit counts when the document in it carries the id, whatever its message says", async () => {
  const world = changedDocument();
  git(world.folder, 'commit', '--quiet', '-m', 'wip', '--', 'docs/HANDOFF.md');
  const sha = git(world.folder, 'rev-parse', 'HEAD');
  put(world.folder, 'calm.txt', 'later\n');
  git(world.folder, 'commit', '--quiet', '-m', 'later', '--', 'calm.txt');
  const before = look(world.folder, []);
  expect(await find(world)).toEqual({ sha, place: 'branch', repository: world.folder, why: null });
  expect(await commit(world)).toMatchObject({ sha });
  expect(look(world.folder, [])).toEqual(before);
});

test("the agent's own commit with the trailer counts, and one with another id does not", async () => {
  const world = busyRepository();
  put(world.folder, 'docs/HANDOFF.md', 'no id in here\n');
  git(world.folder, 'commit', '--quiet', '-m', `wip\n\nHandoff-Id: ${ID}`, '--', 'docs/HANDOFF.md');
  expect(await find(world)).toMatchObject({ sha: git(world.folder, 'rev-parse', 'HEAD'), place: 'branch' });
  expect(await find(world, { id: `${ID}0` })).toBe(null);
  expect(await find(world, { id: ID.slice(0, -1) })).toBe(null);
});
