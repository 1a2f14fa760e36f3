// Proves, at this moment, that a handoff is committed: a commit that is reachable, belongs to this id and holds
// the very bytes on disk. Looks only; changes nothing.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { Fault } from '../protocol/fault.ts';
import { CannotTake } from './cannot-take.ts';
import type { HandoffCommit } from './commit-handoff.ts';
import { handoffRef, ownEnvironment } from './commit-on-ref.ts';
import { findProject, isThere, nameIn, type Project } from './find-project.ts';
import { type HandoffFile, type HandoffFiles, nameInOwn, readHandoffFiles } from './handoff-files.ts';
import { hasTrailer, holdsId, reasonIn } from './handoff-message.ts';
import { runGit } from './run-git.ts';

// A handoff is looked for soon after it was made; the walk through a long history stays short.
const MAX_COMMITS = 10_000;
const MAX_TRIED = 20;

type Search = { folder: string; handoffId: string; files: string[]; ownRepository: string };

export async function findHandoffCommit(o: Search): Promise<HandoffCommit | null> {
  let files: HandoffFiles;
  try {
    files = await readHandoffFiles({ ...o, removed: [] });
  } catch (error) {
    // What cannot be read cannot be proven.
    if (error instanceof Fault) return null;
    throw error;
  }
  return findCommitOf(files, o);
}

export async function findCommitOf(
  files: HandoffFiles,
  o: { handoffId: string; ownRepository: string },
): Promise<HandoffCommit | null> {
  const project = await findProject([...files.written.map(file => file.path), ...files.removed]).catch(error => {
    if (error instanceof CannotTake) return null;
    throw error;
  });
  if (project !== null) {
    const place: Place = {
      cwd: project.top,
      env: {},
      hash: project.hash,
      nameOf: file => nameIn(project, file),
      project,
    };
    const onBranch = await findOnBranch(place, files, o.handoffId);
    if (onBranch !== null) return { sha: onBranch, place: 'branch', repository: project.top, why: null };
    const onRef = await findOnRef(place, files, o.handoffId);
    if (onRef !== null) return { ...onRef, place: 'ref', repository: project.top };
  }
  const own = path.resolve(o.ownRepository);
  if (!(await isThere(path.join(own, 'HEAD')))) return null;
  const nameOf = (file: string) => nameInOwn(files.folder, file);
  const place: Place = { cwd: own, env: ownEnvironment(own), hash: 'sha1', nameOf, project: null };
  const inOwn = await findOnRef(place, files, o.handoffId);
  return inOwn === null ? null : { ...inOwn, place: 'own', repository: own };
}

type Place = {
  cwd: string;
  env: Record<string, string>;
  hash: 'sha1' | 'sha256';
  nameOf(file: string): string;
  project: Project | null;
};

async function findOnBranch(place: Place, files: HandoffFiles, id: string): Promise<string | null> {
  const head = place.project?.head ?? null;
  if (head === null) return null;
  const format = '--format=%H%x1f%(trailers:key=Handoff-Id,valueonly,separator=%x1f)';
  const log = ['-c', 'trailer.separators=:', 'log', '--no-show-signature', `--max-count=${MAX_COMMITS}`, format, head];
  const lines = (await text(place, log)).split('\n').map(line => line.split('\x1f').map(part => part.trim()));
  const marked = lines.filter(([, ...ids]) => ids.includes(id)).slice(0, MAX_TRIED);
  for (const [sha] of marked) if (await holds(place, sha!, files)) return sha!;
  // The agent's own commit may say what it likes, as long as the document in it carries the id.
  if (!files.written.some(file => holdsId(file.body.toString('utf8'), id))) return null;
  if (!(await holds(place, head, files))) return null;
  const names = files.written.map(file => place.nameOf(file.path));
  const last = await text(place, ['log', '--no-show-signature', '-1', '--format=%H', head, '--', ...names]);
  return last.trim() === '' ? null : last.trim();
}

async function findOnRef(
  place: Place,
  files: HandoffFiles,
  id: string,
): Promise<{ sha: string; why: string | null } | null> {
  const found = await text(place, ['rev-parse', '--verify', '--quiet', `${handoffRef(id)}^{commit}`]);
  const sha = found.trim();
  if (sha === '') return null;
  const message = await text(place, ['log', '--no-show-signature', '-1', '--format=%B', sha]);
  if (!hasTrailer(message, id) || !(await holds(place, sha, files))) return null;
  return { sha, why: reasonIn(message) };
}

async function holds(place: Place, sha: string, files: HandoffFiles): Promise<boolean> {
  const wanted = [...files.written.map(file => file.path), ...files.removed].map(place.nameOf);
  const listed = await text(place, ['ls-tree', '-z', '--full-tree', sha, '--', ...wanted]);
  const blobs = new Map<string, string>();
  for (const line of listed.split('\0').filter(Boolean)) {
    const [facts, name] = line.split('\t') as [string, string];
    blobs.set(name, facts.split(' ')[2]!);
  }
  if (files.removed.some(file => blobs.has(place.nameOf(file)))) return false;
  for (const file of files.written) {
    const blob = blobs.get(place.nameOf(file.path));
    if (blob === undefined || !(await isSame(place, file, blob))) return false;
  }
  return true;
}

// Line ends and filters may make the stored bytes differ from the file: then git says what it would store.
async function isSame(place: Place, file: HandoffFile, blob: string): Promise<boolean> {
  // A commit whose objects are damaged or missing proves nothing, whatever its tree says.
  const stored = await runGit({ cwd: place.cwd, env: place.env, args: ['cat-file', 'blob', blob] });
  if (!stored.ok || nameOfBlob(place, stored.stdout) !== blob) return false;
  if (stored.stdout.equals(file.body)) return true;
  if (place.project === null) return false;
  const args = ['hash-object', '--stdin', `--path=${place.nameOf(file.path)}`];
  const answer = await runGit({ cwd: place.cwd, env: place.env, args, input: file.body });
  return answer.ok && answer.stdout.toString().trim() === blob;
}

const nameOfBlob = (place: Place, body: Buffer): string =>
  createHash(place.hash).update(`blob ${body.length}\0`).update(body).digest('hex');

async function text(place: Place, args: string[]): Promise<string> {
  const answer = await runGit({ cwd: place.cwd, env: place.env, args });
  return answer.ok ? answer.stdout.toString('utf8') : '';
}
