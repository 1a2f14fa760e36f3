// A handoff committed by plumbing to refs/baton/handoff/<id>: no hook, no signature, no identity of the user's,
// and neither index nor working tree nor branch is touched.

import { mkdir } from 'node:fs/promises';
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
import { CannotTake } from './cannot-take.ts';
import { nameIn, type Project } from './find-project.ts';
import { type HandoffFiles, nameInOwn } from './handoff-files.ts';
import { runGit } from './run-git.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Baton',
  GIT_AUTHOR_EMAIL: 'baton@localhost',
  GIT_COMMITTER_NAME: 'Baton',
  GIT_COMMITTER_EMAIL: 'baton@localhost',
};

export const handoffRef = (id: string): string => `refs/baton/handoff/${id}`;

export type RefJob = { files: HandoffFiles; message: string; handoffId: string };

export async function commitOnRef(project: Project, job: RefJob): Promise<string> {
  const where = { cwd: project.top, env: {} };
  return commitTo(where, { ...job, base: project.head, nameOf: file => nameIn(project, file) });
}

// Nobody's settings: what a user's config says of bare repositories must not stop the last resort.
export const ownEnvironment = (repository: string): Record<string, string> => ({
  GIT_DIR: path.resolve(repository),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
});

export async function commitInOwn(repository: string, job: RefJob): Promise<string> {
  await mkdir(repository, { recursive: true, mode: 0o700 });
  const where = { cwd: path.resolve(repository), env: ownEnvironment(repository) };
  // Harmless when it exists, and completes one whose making was killed.
  const args = [
    '-c',
    'init.defaultBranch=main',
    'init',
    '--quiet',
    '--bare',
    '--object-format=sha1',
    '--template=',
    '.',
  ];
  await need("Baton's own repository could not be made", { ...where, args });
  return commitTo(where, { ...job, base: null, nameOf: file => nameInOwn(job.files.folder, file) });
}

type RefCommit = RefJob & { base: string | null; nameOf(file: string): string };

async function commitTo(place: Where, job: RefCommit): Promise<string> {
  return withPrivateFolder(async folder => {
    const where = { cwd: place.cwd, env: { ...place.env, ...IDENTITY, GIT_INDEX_FILE: path.join(folder, 'index') } };
    const ref = handoffRef(job.handoffId);
    const last = await runGit({ ...where, args: ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`] });
    const before = last.ok ? last.stdout.toString().trim() : null;
    const entries: Entry[] = [];
    for (const { path: file, body, isExecutable } of job.files.written) {
      const oid = await writeBlob(where, body, null);
      entries.push({ name: job.nameOf(file), oid, mode: isExecutable ? '100755' : '100644' });
    }
    const none = '0'.repeat(entries[0]!.oid.length);
    for (const file of job.files.removed) entries.push({ name: job.nameOf(file), oid: none, mode: GONE });
    await fillIndex(where, { base: job.base, entries });
    const tree = await writeTree(where);
    const changed = await changedNames(where, job.base, tree);
    const alien = changed.find(name => !entries.some(entry => entry.name === name));
    if (alien !== undefined) throw new CannotTake(`"${alien}" stands where a folder of the handoff should be`);
    // A document changed after its commit gets a second one on top: what a ref once held stays reachable.
    const parent = before ?? job.base;
    const parents = parent === null ? [] : ['-p', parent];
    const sign = ['commit-tree', '--no-gpg-sign', ...parents, tree];
    const sha = await need('git could not commit', { ...where, args: sign, input: job.message });
    const move = ['update-ref', '-m', 'baton: handoff', ref, sha, before ?? none];
    await need(`${ref} could not be written`, { ...where, args: move });
    return sha;
  });
}
