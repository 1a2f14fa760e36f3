import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changeLines } from '../../src/cli/change-lines.ts';
import { worktreeChanges } from '../../src/git/worktree-changes.ts';
import { colourless } from '../../src/text/paint.ts';
import { expectHarmless, hostile } from '../pages/sample-page.ts';

const folder = mkdtempSync('/tmp/bd-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

test('changed, new, removed, committed and ignored files are told apart, and no program of the repository runs', async () => {
  git('init', '-q');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@localhost');
  for (const name of ['same', 'changed', 'removed']) writeFileSync(at(name), `${name}\n`);
  writeFileSync(at('.gitignore'), 'ignored\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  const head = git('rev-parse', 'HEAD');
  writeFileSync(at('changed'), 'one\ntwo\n');
  writeFileSync(at('committed'), 'by a commit\n');
  git('add', 'committed');
  git('commit', '-q', '-m', 'More');
  rmSync(at('removed'));
  writeFileSync(at('untracked'), hostile);
  writeFileSync(at('ignored'), 'x');
  symlinkSync('/etc/passwd', at('link'));
  // What an agent could leave behind to be run by whoever looks.
  const trap = `touch ${at('ignored-trap')}; cat`;
  git('config', 'filter.trap.clean', trap);
  git('config', 'diff.external', trap);
  git('config', 'core.fsmonitor', trap);
  writeFileSync(at('.gitattributes'), '* filter=trap\n');

  const changes = await worktreeChanges(folder, head);
  expect(existsSync(at('ignored-trap'))).toBe(false);
  const told = changes.map(each => [
    each.path,
    each.before?.toString() ?? null,
    each.after?.toString().slice(0, 20) ?? null,
  ]);
  expect(told.filter(([name]) => name !== 'untracked')).toEqual([
    ['.gitattributes', null, '* filter=trap\n'],
    ['changed', 'changed\n', 'one\ntwo\n'],
    ['committed', null, 'by a commit\n'],
    ['link', null, '/etc/passwd'],
    ['removed', 'removed\n', null],
  ]);
  expect(changes.map(each => each.path)).toContain('untracked');

  const lines = changeLines(
    [
      {
        place: hostile,
        since: 'it began',
        changes: changes.map(each => ({ ...each, wasChanged: each.path === 'changed' })),
      },
    ],
    colourless,
  );
  expectHarmless(lines.join('\n'));
  expect(Math.max(...lines.map(line => line.length))).toBeLessThan(1200);
  expect(lines).toContain('--- changed (changed, +2 -1; was changed before it began, too)');
  expect(lines).toContain('--- removed (gone, +0 -1)');
});

test('bytes that are no text, and files too large, are told and not shown', () => {
  const change = (before: Buffer | null, after: Buffer | null, isTooLarge = false) => ({
    path: 'f',
    before,
    after,
    isTooLarge,
    wasChanged: false,
  });
  const changes = [change(Buffer.from([0, 255]), Buffer.from('a')), change(Buffer.alloc(0), Buffer.alloc(0), true)];
  expect(changeLines([{ place: '/p', since: 'it began', changes }], colourless)).toEqual([
    '/p since it began: 2 files',
    '--- f (changed, not shown (2 B to 1 B, not text))',
    '--- f (changed, not shown (too large))',
  ]);
});
