// Where the project cannot take a handoff: a ref of Baton's, or Baton's own repository.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { keepBothSides } from '../../src/git/keep-both-sides.ts';
import { tempFolder } from '../files/temp-folder.ts';
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
  look,
  MESSAGE,
  put,
  tryGit,
  type Wish,
  type World,
} from './small-repository.ts';

const REF = `refs/baton/handoff/${ID}`;

const changedDocument = (): World => {
  const world = busyRepository();
  put(world.folder, 'docs/HANDOFF.md', documentText());
  return world;
};

// Nothing at all may be different: not even the index entry of the document.
async function keptOnRef(world: World, why: RegExp, wish: Wish & { changed?: string[]; keepsLock?: boolean } = {}) {
  const { folder } = world;
  const { changed = ['M\tdocs/HANDOFF.md'], ...rest } = wish;
  const before = look(folder, []);
  const done = await commit(world, rest);
  expect(done).toMatchObject({ place: 'ref', repository: folder, why: expect.stringMatching(why) });
  expect(look(folder, [])).toEqual(before);
  expect(git(folder, 'rev-parse', REF)).toBe(done.sha);
  expect(filesIn(folder, done.sha)).toEqual(changed);
  expect(git(folder, 'log', '-1', '--format=%P', done.sha)).toBe(before.head);
  expect(await find(world, rest)).toEqual(done);
  expect(await commit(world, rest)).toEqual(done);
  expect(commitsWith(folder)).toEqual([done.sha]);
  expect(look(folder, [])).toEqual(before);
  return done;
}

async function keptInOwn(world: World, why: RegExp, wish: Wish = {}) {
  const done = await commit(world, wish);
  expect(done).toMatchObject({ place: 'own', repository: world.own, why: expect.stringMatching(why) });
  expect(git(world.own, 'rev-parse', REF)).toBe(done.sha);
  expect(await find(world, wish)).toEqual(done);
  expect(await commit(world, wish)).toEqual(done);
  expect(git(world.own, 'rev-list', '--count', '--all')).toBe('1');
  return done;
}

const alive = (mark: string): boolean =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .some(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
      } catch {
        return false;
      }
    });

test.each(['pre-commit', 'prepare-commit-msg', 'commit-msg'])(
  'a %s hook that refuses is named with its words',
  async name => {
    const world = changedDocument();
    hook(world.folder, name, 'echo "line too long" >&2; exit 1');
    await keptOnRef(world, new RegExp(`^the ${name} hook refused: line too long$`));
  },
);

test.each(['pre-commit', 'commit-msg', 'post-commit'])(
  'a %s hook that hangs is ended within the limit with all it started',
  async name => {
    const world = changedDocument();
    const mark = `sleep 98${Math.floor(Math.random() * 1e6)}`;
    // One child in a session of its own, and nobody who reacts to a polite signal.
    hook(world.folder, name, `trap '' TERM\nsetsid ${mark} &\n${mark}`);
    const started = performance.now();
    const before = look(world.folder);
    const done = await commit(world, { limitMs: 3000 });
    expect(performance.now() - started).toBeLessThan(12_000);
    expect(alive(mark.replace(' ', '\0'))).toBe(false);
    if (name === 'post-commit') expect(done).toMatchObject({ place: 'branch', why: null });
    else
      expect(done).toMatchObject({ place: 'ref', why: expect.stringContaining(`the ${name} hook did not end within`) });
    expect(look(world.folder)).toEqual({ ...before, head: name === 'post-commit' ? done.sha : before.head });
    expect(await find(world)).toEqual(done);
  },
);

test('a hook that leaves something running in the background does not hold the commit up', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', `sleep 20 & echo $! > '${world.base}/pid'`);
  const started = performance.now();
  expect(await commit(world)).toMatchObject({ place: 'branch' });
  expect(performance.now() - started).toBeLessThan(8000);
  process.kill(Number(readFileSync(path.join(world.base, 'pid'), 'utf8')));
});

test('a hook that adds other files to the commit does not get them in', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', 'git add -A');
  await keptOnRef(world, /the commit would hold ".*" too/);
});

test('a hook that takes the id out of the message does not get its way', async () => {
  const world = changedDocument();
  hook(world.folder, 'commit-msg', 'echo short > "$1"');
  await keptOnRef(world, /took the Handoff-Id away/);
});

test('a hook that rewrites the document each time is not followed for ever', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', 'echo more >> docs/HANDOFF.md; git add docs/HANDOFF.md');
  const done = await commit(world);
  expect(done).toMatchObject({ place: 'ref', why: expect.stringContaining('rewrites the document each time') });
  expect(await find(world)).toEqual(done);
});

test('a reference-transaction hook that refuses leaves branch and index alone', async () => {
  const world = changedDocument();
  hook(world.folder, 'reference-transaction', 'test "$1" = prepared && exit 1; exit 0');
  await keptOnRef(world, /the branch could not be moved/);
});

test('a reference-transaction hook that hangs after the branch has moved does not make the commit undone', async () => {
  const world = changedDocument();
  hook(world.folder, 'reference-transaction', `trap '' TERM; test "$1" = committed && sleep 100; exit 0`);
  const before = look(world.folder);
  const done = await commit(world, { limitMs: 2000 });
  expect(done).toMatchObject({ place: 'branch', why: null });
  expect(look(world.folder)).toEqual({ ...before, head: done.sha });
  expect(git(world.folder, 'status', '--porcelain=v2', '--', 'docs')).toBe('');
});

test('hooks of core.hooksPath are the ones that count', async () => {
  const world = changedDocument();
  git(world.folder, 'config', 'core.hooksPath', path.join(world.base, 'hooks'));
  hook(world.folder, 'pre-commit', 'exit 3');
  await keptOnRef(world, /the pre-commit hook refused: it ended with 3/);
});

test('a git without `git hook` runs the hooks all the same', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', 'echo "from $PWD $*" >&2; exit 1');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const program = path.join(world.base, 'bin/git');
  const old = `for word; do test "$word" = hook && { echo "git: 'hook' is not a git command." >&2; exit 1; }; done`;
  put(world.base, 'bin/git', `#!/bin/sh\n${old}\nexec '${real}' "$@"\n`);
  chmodSync(program, 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${path.dirname(program)}:${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  await keptOnRef(world, new RegExp(`the pre-commit hook refused: from ${world.folder}`));
});

test.each([
  ['fails', 'echo "gpg: no secret key" >&2; exit 2', /could not be signed: .*(gpg|sign)/],
  ['hangs', 'sleep 100', /could not be signed: it took too long/],
])('signing that %s is told and nothing is left on the branch', async (_, script, why) => {
  const world = changedDocument();
  const program = path.join(world.base, 'sign');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  git(world.folder, 'config', 'gpg.program', program);
  git(world.folder, 'config', 'commit.gpgSign', 'true');
  await keptOnRef(world, why, { limitMs: 2500 });
});

test('without an identity the commit is made in the name of Baton', async () => {
  const world = changedDocument();
  git(world.folder, 'config', '--unset', 'user.name');
  git(world.folder, 'config', '--unset', 'user.email');
  git(world.folder, 'config', 'user.useConfigOnly', 'true');
  const { sha } = await keptOnRef(world, /git has no identity to commit with/);
  expect(git(world.folder, 'log', '-1', '--format=%an %cn', sha)).toBe('Baton Baton');
});

test('an ignored docs folder stays ignored', async () => {
  const world = emptyRepository();
  put(world.folder, '.gitignore', 'docs/\n');
  git(world.folder, 'add', '.gitignore');
  git(world.folder, 'commit', '--quiet', '-m', 'first');
  put(world.folder, 'docs/HANDOFF.md', documentText());
  await keptOnRef(world, /"docs\/HANDOFF.md" is ignored/, { changed: ['A\tdocs/HANDOFF.md'] });
});

test('a document that is ignored but tracked goes to the branch', async () => {
  const world = changedDocument();
  put(world.folder, '.git/info/exclude', 'docs/\n');
  expect(await commit(world)).toMatchObject({ place: 'branch' });
});

test('an index.lock that stays is waited for, told, and never removed', async () => {
  const world = changedDocument();
  const lock = path.join(world.folder, '.git/index.lock');
  writeFileSync(lock, '');
  await keptOnRef(world, /index.lock is held by another git/, { limitMs: 900 });
  expect(existsSync(lock)).toBe(true);
});

test('an index.lock that goes away in time does not keep the commit from the branch', async () => {
  const world = changedDocument();
  const lock = path.join(world.folder, '.git/index.lock');
  const before = look(world.folder);
  writeFileSync(lock, '');
  setTimeout(() => rmSync(lock), 600);
  const done = await commit(world);
  expect(done.place).toBe('branch');
  expect(look(world.folder)).toEqual({ ...before, head: done.sha });
});

test('an index.lock that comes while the hooks run leaves branch and index as they were', async () => {
  const world = changedDocument();
  hook(world.folder, 'commit-msg', 'touch .git/index.lock');
  const before = look(world.folder, []);
  const done = await commit(world, { limitMs: 2000 });
  expect(done).toMatchObject({ place: 'ref', why: expect.stringContaining('index.lock') });
  expect(look(world.folder, [])).toEqual({ ...before, locks: ['index.lock'] });
});

test('a branch that is locked by somebody is told, and the index stays as it was', async () => {
  const world = changedDocument();
  writeFileSync(path.join(world.folder, '.git/refs/heads/main.lock'), '');
  await keptOnRef(world, /the branch could not be moved.*File exists/, { limitMs: 6000 });
});

test('a branch that cannot be moved at the very last moment gives the index its old entries back', async () => {
  const world = changedDocument();
  const lock = path.join(world.folder, '.git/refs/heads/main.lock');
  // It runs right after the index was written, and takes the lock of the prepared change away.
  hook(world.folder, 'post-index-change', `test -z "$GIT_INDEX_FILE" && rm -f '${lock}'; exit 0`);
  git(world.folder, 'add', 'docs');
  put(world.folder, 'docs/HANDOFF.md', documentText(ID, 'Newer than what is staged.'));
  await keptOnRef(world, /the branch could not be moved/);
});

function conflicted(world: World): void {
  const { folder } = world;
  git(folder, 'stash', '--quiet', '-u');
  git(folder, 'checkout', '--quiet', '-b', 'side');
  put(folder, 'docs/HANDOFF.md', '# Handoff\n\ntheir line\n');
  git(folder, 'commit', '--quiet', '-am', 'side');
  git(folder, 'checkout', '--quiet', 'main');
  put(folder, 'docs/HANDOFF.md', '# Handoff\n\nour line\n');
  git(folder, 'commit', '--quiet', '-am', 'main');
}

test.each([
  ['merge', ['merge', 'side'], /a merge is in progress/],
  ['rebase', ['rebase', 'side'], /a rebase is in progress/],
  ['cherry-pick', ['cherry-pick', 'side'], /a cherry-pick is in progress/],
])(
  'during a %s with a conflict in the document both sides are kept and flagged, not on the branch',
  async (_, args, why) => {
    const world = busyRepository();
    conflicted(world);
    expect(tryGit(world.folder, ...args).status).not.toBe(0);
    const file = path.join(world.folder, 'docs/HANDOFF.md');
    const kept = keepBothSides(readFileSync(file, 'utf8'));
    expect(kept.conflicts).toBe(1);
    writeFileSync(file, `${kept.text}\nHandoff-Id: ${ID}\n`);
    const { sha } = await keptOnRef(world, why);
    const text = git(world.folder, 'show', `${sha}:docs/HANDOFF.md`);
    expect(text).toContain('our line');
    expect(text).toContain('their line');
    expect(text).not.toMatch(/^[<=>]{7}/m);
    expect(git(world.folder, 'ls-files', '-u').split('\n')).toHaveLength(3);
  },
);

test('a conflict left in the index by a stash keeps the commit from the branch', async () => {
  const world = busyRepository();
  git(world.folder, 'stash', '--quiet', '-u');
  put(world.folder, 'docs/HANDOFF.md', 'stashed\n');
  git(world.folder, 'stash', '--quiet');
  put(world.folder, 'docs/HANDOFF.md', 'other\n');
  git(world.folder, 'commit', '--quiet', '-am', 'other');
  expect(tryGit(world.folder, 'stash', 'pop').status).not.toBe(0);
  put(world.folder, 'docs/HANDOFF.md', documentText());
  await keptOnRef(world, /an unresolved conflict in "docs\/HANDOFF.md"/);
});

test('during a bisect the commit under test is not replaced', async () => {
  const world = changedDocument();
  git(world.folder, 'bisect', 'start');
  await keptOnRef(world, /a bisect is in progress/);
});

test('a clean filter that fails is told, and the bytes are kept as they are', async () => {
  const world = changedDocument();
  git(world.folder, 'config', 'filter.odd.clean', 'false');
  git(world.folder, 'config', 'filter.odd.required', 'true');
  put(world.folder, '.git/info/attributes', '*.md filter=odd\n');
  const done = await commit(world);
  expect(done).toMatchObject({ place: 'ref', why: expect.stringContaining('could not keep the document') });
  expect(`${git(world.folder, 'cat-file', 'blob', `${done.sha}:docs/HANDOFF.md`)}\n`).toBe(documentText());
});

test('a removal is part of the commit on the ref too', async () => {
  const world = busyRepository();
  hook(world.folder, 'pre-commit', 'exit 1');
  rmSync(path.join(world.folder, 'docs/HANDOFF.md'));
  put(world.folder, 'docs/archived.md', documentText());
  const wish = { files: ['docs/archived.md'], removed: ['docs/HANDOFF.md'] };
  await keptOnRef(world, /pre-commit/, { ...wish, changed: ['D\tdocs/HANDOFF.md', 'A\tdocs/archived.md'] });
});

test('in a worktree the ref is shared and the worktree stays as it was', async () => {
  const main = busyRepository();
  const folder = path.join(main.base, 'tree');
  git(main.folder, 'worktree', 'add', '--quiet', '-b', 'side', folder);
  hook(main.folder, 'pre-commit', 'exit 1');
  put(folder, 'docs/HANDOFF.md', documentText());
  const { sha } = await keptOnRef({ ...main, folder }, /pre-commit/);
  expect(git(main.folder, 'rev-parse', REF)).toBe(sha);
});

test('a document changed after its commit to the ref gets another one on top of it', async () => {
  const world = changedDocument();
  hook(world.folder, 'pre-commit', 'exit 1');
  const first = await commit(world);
  put(world.folder, 'docs/HANDOFF.md', documentText(ID, 'Changed since.'));
  expect(await find(world)).toBe(null);
  const second = await commit(world);
  expect(second.place).toBe('ref');
  expect(git(world.folder, 'rev-parse', `${second.sha}^`)).toBe(first.sha);
});

test("without a repository Baton's own takes it, made on demand and closed to others", async () => {
  const base = tempFolder();
  const world = { base, folder: path.join(base, 'plain'), own: path.join(base, 'state/own.git') };
  put(world.folder, 'docs/HANDOFF.md', documentText());
  expect(await find(world)).toBe(null);
  expect(existsSync(world.own)).toBe(false);
  const { sha } = await keptInOwn(world, /no usable repository: .*not a git repository/);
  expect(git(world.own, 'ls-tree', '-r', '--name-only', sha)).toBe('docs/HANDOFF.md');
  expect(readdirSync(world.folder)).toEqual(['docs']);
  expect(statSync(world.own).mode & 0o077).toBe(0);
});

test("a damaged repository is left alone and Baton's own takes it", async () => {
  const world = changedDocument();
  writeFileSync(path.join(world.folder, '.git/HEAD'), 'rubbish\n');
  await keptInOwn(world, /no usable repository/);
  expect(readFileSync(path.join(world.folder, '.git/HEAD'), 'utf8')).toBe('rubbish\n');
});

test('a docs folder linked to a place outside the repository is kept in the own repository', async () => {
  const world = busyRepository();
  mkdirSync(path.join(world.base, 'notes'));
  symlinkSync('../notes', path.join(world.folder, 'notes'));
  put(world.folder, 'notes/HANDOFF.md', documentText());
  const before = look(world.folder, []);
  await keptInOwn(world, /no usable repository/, { files: ['notes/HANDOFF.md'] });
  expect(look(world.folder, [])).toEqual(before);
});

test('files of two repositories are kept together in the own one', async () => {
  const world = changedDocument();
  git(world.folder, 'init', '--quiet', 'docs/inner');
  put(world.folder, 'docs/inner/HANDOFF.md', documentText());
  const before = look(world.folder, []);
  await keptInOwn(world, /more than one repository/, { files: ['docs/HANDOFF.md', 'docs/inner/HANDOFF.md'] });
  expect(look(world.folder, [])).toEqual(before);
});

test('a read-only .git sends it to the own repository', () => {
  const world = changedDocument();
  const before = look(world.folder, []);
  execFileSync('chmod', ['-R', 'a-w', path.join(world.folder, '.git')]);
  onTestFinished(() => void execFileSync('chmod', ['-R', 'u+w', path.join(world.folder, '.git')]));
  // Root may write everywhere, so it is done as nobody.
  const nobody = process.getuid!() === 0 ? ['65534'] : [];
  if (nobody.length > 0) execFileSync('chown', ['-R', '65534:65534', world.base]);
  const files = ['docs/HANDOFF.md'];
  const order = { folder: world.folder, files, removed: [], message: MESSAGE, handoffId: ID, ownRepository: world.own };
  const program = new URL('./commit-there.ts', import.meta.url).pathname;
  const ran = spawnSync(process.execPath, [program, JSON.stringify(order), ...nobody], { encoding: 'utf8' });
  if (nobody.length > 0) execFileSync('chown', ['-R', '0:0', world.base]);
  expect(JSON.parse(ran.stdout), ran.stderr).toMatchObject({ place: 'own', why: expect.stringMatching(/permission/i) });
  expect(look(world.folder, [])).toEqual(before);
});

test('a commit whose document is damaged or gone in the repository proves nothing', async () => {
  const world = changedDocument();
  const { sha } = await commit(world);
  const blob = git(world.folder, 'rev-parse', `${sha}:docs/HANDOFF.md`);
  const object = path.join(world.folder, '.git/objects', blob.slice(0, 2), blob.slice(2));
  rmSync(object);
  expect(await find(world)).toBe(null);
  writeFileSync(object, deflateSync('blob 6\0other\n'));
  expect(await find(world)).toBe(null);
});

test('a commit that was taken back is no proof any more', async () => {
  const world = changedDocument();
  await commit(world);
  git(world.folder, 'reset', '--quiet', '--soft', 'HEAD~1');
  expect(await find(world)).toBe(null);
});

test('a document that is missing, a link or a folder is refused with its name', async () => {
  const world = changedDocument();
  await expect(commit(world, { files: ['docs/none.md'] })).rejects.toThrow(/none\.md" cannot be committed/);
  symlinkSync('HANDOFF.md', path.join(world.folder, 'docs/link.md'));
  await expect(commit(world, { files: ['docs/link.md'] })).rejects.toThrow(/link\.md" is a symlink/);
  await expect(commit(world, { files: ['docs'] })).rejects.toThrow(/is a folder/);
  await expect(commit(world, { files: [] })).rejects.toThrow(/No file/);
  await expect(commit(world, { removed: ['calm.txt'] })).rejects.toThrow(/named as removed but is there/);
  await expect(commit(world, { id: '../x' })).rejects.toThrow(/cannot name a ref/);
  expect(await find(world, { files: ['docs/none.md'] })).toBe(null);
});
