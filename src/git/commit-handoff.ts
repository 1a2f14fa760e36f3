// Commits exactly the files of a handoff, once: on the project's branch, else on a ref of Baton's in the same
// repository, else in Baton's own repository. Says where, and what stopped the project from taking it.

import { Fault } from '../protocol/fault.ts';
import { CannotTake, MovedAway, safeWords } from './cannot-take.ts';
import { commitOnBranch } from './commit-on-branch.ts';
import { commitInOwn, commitOnRef, type RefJob } from './commit-on-ref.ts';
import { findCommitOf } from './find-handoff-commit.ts';
import { findProject, type Project } from './find-project.ts';
import { type HandoffFiles, readHandoffFiles } from './handoff-files.ts';
import { withReason, withTrailer } from './handoff-message.ts';

export { findHandoffCommit } from './find-handoff-commit.ts';

export type CommitPlace = 'branch' | 'ref' | 'own';
export type HandoffCommit = { sha: string; place: CommitPlace; repository: string; why: string | null };

type Order = {
  folder: string;
  files: string[];
  removed: string[];
  message: string;
  handoffId: string;
  ownRepository: string;
  limitMs?: number; // of hooks and signing together; what comes after a refusal has limits of its own
};

const LIMIT_MS = 60_000;
const MAX_LOCK_MS = 5_000;
const TRIES = 3;

export async function commitHandoff(order: Order): Promise<HandoffCommit> {
  mustBeName(order.handoffId);
  const { limitMs = LIMIT_MS } = order;
  const deadline = performance.now() + limitMs;
  let why = 'the project moved on each time';
  for (let tried = 1; ; tried += 1) {
    const files = await readHandoffFiles(order);
    const done = await findCommitOf(files, order);
    if (done !== null) return done;
    const job = { files, message: withTrailer(order.message, order.handoffId), handoffId: order.handoffId };
    try {
      const project = await findProject(allPaths(files));
      const sha = await commitOnBranch(project, { ...job, deadline, lockMs: Math.min(MAX_LOCK_MS, limitMs / 3) });
      return { sha, place: 'branch', repository: project.top, why: null };
    } catch (error) {
      if (!(error instanceof CannotTake)) throw error;
      why = safeWords(error.message);
      if (error instanceof MovedAway && tried < TRIES && performance.now() < deadline) continue;
    }
    // The hook may have changed the document before it refused.
    return keepElsewhere({ ...job, files: await readHandoffFiles(order) }, order.ownRepository, why);
  }
}

async function keepElsewhere(job: RefJob, own: string, why: string): Promise<HandoffCommit> {
  const project: Project | null = await findProject(allPaths(job.files)).catch(() => null);
  if (project === null) return inOwn(job, own, why);
  try {
    const sha = await commitOnRef(project, { ...job, message: withReason(job.message, why) });
    return { sha, place: 'ref', repository: project.top, why };
  } catch (error) {
    if (!(error instanceof CannotTake)) throw error;
    const both = why === error.message ? why : `${why}; ${error.message}`;
    return inOwn(job, own, safeWords(both));
  }
}

async function inOwn(job: RefJob, own: string, why: string): Promise<HandoffCommit> {
  try {
    const sha = await commitInOwn(own, { ...job, message: withReason(job.message, why) });
    return { sha, place: 'own', repository: own, why };
  } catch (cause) {
    if (!(cause instanceof CannotTake)) throw cause;
    const said = `The handoff ${job.handoffId} could not be committed anywhere: ${why}; ${safeWords(cause.message)}.`;
    throw new Fault('refused', said, `Make "${own}" writable, then hand off again.`, { cause });
  }
}

const allPaths = (files: HandoffFiles): string[] => [...files.written.map(file => file.path), ...files.removed];

// It becomes the name of a ref and a line of a message.
function mustBeName(id: string): void {
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id) && !id.includes('..') && !/(\.lock|\.)$/.test(id);
  if (isName) return;
  const cure = 'Use letters, digits, "-" and "_", at most 100.';
  throw new Fault('invalid', `handoffId: ${JSON.stringify(id)} cannot name a ref.`, cure);
}
