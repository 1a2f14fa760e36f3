// The two effects of a commit that the user can see: the branch moves, and the index learns exactly these files.
// The index goes first, inside the prepared change of the branch: killed in between, the files are merely staged.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Entry, GONE, setEntries, type Where } from './build-tree.ts';
import { CannotTake, MovedAway } from './cannot-take.ts';
import { handoffRef } from './commit-on-ref.ts';
import { isThere, type Project } from './find-project.ts';
import { prepareRefs } from './ref-transaction.ts';
import { runGit, saidBy } from './run-git.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

export type Move = {
  sha: string;
  subject: string;
  entries: Entry[];
  handoffId: string;
  deadline: number;
  lockMs: number;
};

export async function moveBranch(project: Project, move: Move): Promise<void> {
  const none = '0'.repeat(move.sha.length);
  const changes = [{ ref: 'HEAD', to: move.sha, from: project.head ?? none }];
  // A commit on a detached HEAD would be lost with the next checkout.
  if (project.isDetached)
    changes.push({ ref: handoffRef(move.handoffId), to: move.sha, from: await keptNow(project, move, none) });
  const note = `commit${project.head === null ? ' (initial)' : ''}: ${move.subject}`;
  const prepared = await untilUnlocked(move.lockMs, () =>
    prepareRefs({ cwd: project.top, note, changes, limitMs: Math.max(1, move.deadline - performance.now()) }),
  );
  try {
    const before = await entriesNow(project, move.entries);
    await teachIndex(project, move.entries, move.lockMs);
    try {
      await prepared.make();
    } catch (error) {
      // A hook that hangs after the fact: the branch has moved, and that is what counts.
      if ((await runGit({ cwd: project.top, args: ['rev-parse', 'HEAD'] })).stdout.toString().trim() === move.sha)
        return;
      await teachIndex(project, before, move.lockMs);
      throw error;
    }
  } finally {
    await prepared.giveUp();
  }
}

async function keptNow(project: Project, move: Move, none: string): Promise<string> {
  const answer = await runGit({
    cwd: project.top,
    args: ['rev-parse', '--verify', '--quiet', handoffRef(move.handoffId)],
  });
  return answer.ok ? answer.stdout.toString().trim() : none;
}

async function teachIndex(project: Project, entries: Entry[], lockMs: number): Promise<void> {
  await untilUnlocked(lockMs, async () => {
    const answer = await setEntries(here(project), entries, true);
    if (answer.ok || (await isTaught(project, entries))) return;
    const isLocked = await isThere(`${project.index}.lock`);
    throw new CannotTake(isLocked ? `${lockWords}: ${saidBy(answer)}` : `the index refused: ${saidBy(answer)}`);
  });
}

const lockWords = 'index.lock is held by another git (File exists)';

// A lock of somebody else is waited for and never removed: nobody can tell a forgotten one from a working one.
export async function waitForIndex(project: Project, lockMs: number): Promise<void> {
  await untilUnlocked(lockMs, async () => {
    if (await isThere(`${project.index}.lock`)) throw new CannotTake(lockWords);
  });
}

async function untilUnlocked<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const isLocked =
        error instanceof CannotTake && !(error instanceof MovedAway) && /File exists/.test(error.message);
      if (!isLocked || performance.now() >= until) throw error;
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

async function isTaught(project: Project, entries: Entry[]): Promise<boolean> {
  const now = await entriesNow(project, entries);
  return now.every((entry, at) => entry.oid === entries[at]!.oid && entry.mode === entries[at]!.mode);
}

async function entriesNow(project: Project, entries: Entry[]): Promise<Entry[]> {
  const names = entries.map(entry => entry.name);
  const answer = await runGit({ ...here(project), args: ['ls-files', '-s', '-z', '--full-name', '--', ...names] });
  const known = new Map<string, Entry>();
  for (const line of answer.stdout.toString('utf8').split('\0').filter(Boolean)) {
    const [facts, name] = line.split('\t') as [string, string];
    const [mode, oid] = facts.split(' ') as [string, string];
    known.set(name, { name, mode, oid });
  }
  return entries.map(({ name, oid }) => known.get(name) ?? { name, mode: GONE, oid: '0'.repeat(oid.length) });
}

const here = (project: Project): Where => ({ cwd: project.top, env: {} });
