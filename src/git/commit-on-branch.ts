// A handoff committed where HEAD is, as `git commit` would: hooks, signature, the user's identity. Built in a
// private index and moved last, so that a refusal at any step leaves the repository as it was.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  changedNames,
  type Entry,
  fillIndex,
  GONE,
  need,
  type Where,
  withPrivateFolder,
  writeBlob,
  writeTree,
} from './build-tree.ts';
import { CannotTake, MovedAway } from './cannot-take.ts';
import type { RefJob } from './commit-on-ref.ts';
import { nameIn, type Project } from './find-project.ts';
import { type HandoffFiles, readHandoffFiles } from './handoff-files.ts';
import { hasTrailer } from './handoff-message.ts';
import { moveBranch, waitForIndex } from './move-branch.ts';
import { runHook } from './project-hook.ts';
import { runGit, saidBy } from './run-git.ts';

const REFRESH_MS = 60_000;

export type BranchJob = RefJob & { deadline: number; lockMs: number };

export async function commitOnBranch(project: Project, job: BranchJob): Promise<string> {
  await mustBeReady(project, job);
  await waitForIndex(project, job.lockMs);
  return withPrivateFolder(async folder => {
    const where = { cwd: project.top, env: { GIT_INDEX_FILE: path.join(folder, 'index') } };
    const entries = await entriesFor(project, job.files);
    await fillIndex(where, { base: project.head, entries, like: project.index });
    const limited = () => ({ ...where, limitMs: timeLeft(job) });
    const planned = await writeTree(where);
    await runHook({ ...limited(), name: 'pre-commit' });
    const tree = await writeTree(where);
    await mustHoldOnly(where, project, entries, tree, planned);
    const message = path.join(folder, 'COMMIT_EDITMSG');
    await writeFile(message, job.message);
    await runHook({ ...limited(), name: 'prepare-commit-msg', args: [message, 'message'] });
    await runHook({ ...limited(), name: 'commit-msg', args: [message] });
    const text = await readFile(message, 'utf8');
    if (!hasTrailer(text, job.handoffId)) throw new CannotTake('the commit-msg hook took the Handoff-Id away');
    await mustBeUnchanged(job.files);
    const sha = await commitTree(project, { tree, text, limitMs: timeLeft(job) });
    const subject = text.split('\n')[0]!;
    await moveBranch(project, { ...job, sha, subject, entries });
    // Git only tells of it and goes on, so a hook that fails or hangs here changes nothing.
    await runHook({ cwd: project.top, env: {}, limitMs: timeLeft(job), name: 'post-commit' }).catch(() => {});
    const names = entries.filter(entry => entry.mode !== GONE).map(entry => entry.name);
    // As the project, for a call without its file monitor would throw the monitor's data out of the index. With a
    // time of its own: a hook may have used up ours, and a git that is killed here leaves its index.lock behind.
    const refresh = ['--literal-pathspecs', 'add', '--refresh', '--', ...names];
    await runGit({ cwd: project.top, args: refresh, limitMs: REFRESH_MS, asProject: true });
    return sha;
  });
}

function timeLeft(job: BranchJob): number {
  return Math.max(1, job.deadline - performance.now());
}

async function mustBeReady(project: Project, job: BranchJob): Promise<void> {
  if (project.going !== null) throw new CannotTake(project.going);
  const where = { cwd: project.top, env: {} };
  const unmerged = await need('the index cannot be read', { ...where, args: ['ls-files', '-u', '-z'] });
  if (unmerged !== '') {
    const name = unmerged.split('\0')[0]!.split('\t')[1];
    throw new CannotTake(`the index has an unresolved conflict in "${name}"`);
  }
  const names = job.files.written.map(file => nameIn(project, file.path));
  const input = names.map(name => `${name}\0`).join('');
  const ignored = await runGit({
    ...where,
    args: ['check-ignore', '-z', '--stdin'],
    input,
    env: { GIT_LITERAL_PATHSPECS: '0' },
  });
  if (ignored.code !== 0 && ignored.code !== 1) throw new CannotTake(`ignored files are unknown: ${saidBy(ignored)}`);
  if (ignored.ok) throw new CannotTake(`"${ignored.stdout.toString('utf8').split('\0')[0]}" is ignored by the project`);
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    await need('git has no identity to commit with', { ...where, args: ['var', who] });
}

async function entriesFor(project: Project, files: HandoffFiles): Promise<Entry[]> {
  const where = { cwd: project.top, env: {} };
  const honest = await runGit({ ...where, args: ['config', '--type=bool', 'core.fileMode'] });
  const isModeKept = honest.stdout.toString().trim() !== 'false';
  const entries: Entry[] = [];
  for (const file of files.written) {
    const name = nameIn(project, file.path);
    const mode = isModeKept && file.isExecutable ? '100755' : '100644';
    entries.push({ name, oid: await writeBlob(where, file.body, name), mode });
  }
  const none = '0'.repeat(entries[0]!.oid.length);
  return [...entries, ...files.removed.map(file => ({ name: nameIn(project, file), oid: none, mode: GONE }))];
}

// A pre-commit hook may add what it likes to the commit; a handoff holds the handoff and nothing else.
async function mustHoldOnly(where: Where, project: Project, entries: Entry[], tree: string, planned: string) {
  const changed = await changedNames(where, project.head, tree);
  const alien = changed.find(name => !entries.some(entry => entry.name === name));
  if (alien !== undefined) throw new CannotTake(`the commit would hold "${alien}" too`);
  // A formatter: the caller reads the files again and takes its version.
  if (tree !== planned) throw new MovedAway('the pre-commit hook rewrites the document each time');
}

async function mustBeUnchanged(files: HandoffFiles): Promise<void> {
  const names = files.written.map(file => file.path);
  const now = await readHandoffFiles({ folder: files.folder, files: names, removed: files.removed });
  const isSame = now.written.every((file, at) => file.body.equals(files.written[at]!.body));
  if (!isSame) throw new MovedAway('the document changes while it is committed');
}

async function commitTree(project: Project, o: { tree: string; text: string; limitMs: number }): Promise<string> {
  const where = { cwd: project.top, env: {} };
  const wanted = await runGit({ ...where, args: ['config', '--type=bool', 'commit.gpgSign'] });
  const isSigned = wanted.stdout.toString().trim() === 'true';
  const parents = project.head === null ? [] : ['-p', project.head];
  const args = ['commit-tree', ...(isSigned ? ['-S'] : []), ...parents, o.tree];
  const what = isSigned ? 'the commit could not be signed' : 'git could not commit';
  return need(what, { ...where, args, input: o.text, limitMs: o.limitMs, asProject: true });
}
