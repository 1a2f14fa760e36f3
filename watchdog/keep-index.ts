// Keeps docs/HANDOFF.md of a project as the index of its agents: says which file goes into the commit of a handoff
// beside the agent's own document, and keeps what a handoff began true afterwards. One at a time: two handoffs of one
// project may end together.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../src/files/guard-path.ts';
import { makeRedactor } from '../src/files/redact.ts';
import { commitHandoff } from '../src/git/commit-handoff.ts';
import { runGit } from '../src/git/run-git.ts';
import { hasIndex, type IndexedWorker, indexBlock, withIndex } from '../src/handoff/index-document.ts';
import { readDocumentFile } from '../src/project/document-file.ts';
import { createText, placeIn, replaceText } from '../src/project/project-files.ts';
import { Fault } from '../src/protocol/fault.ts';
import type { KeptIndex } from '../src/protocol/workers.ts';
import { ownRepository } from '../src/watching/watchdog-places.ts';
import { openKept } from './kept-indexes.ts';
import type { WatchedPane } from './watched-pane.ts';
import type { Watched, Workers } from './workers.ts';

export type IndexKeeper = {
  // The file to commit with the document; null: none.
  bringUpToDate(pane: WatchedPane, index: string): Promise<string | null>;
  // Those that handoffs began, where their agents stand differently now.
  refresh(now?: number): Promise<void>;
  // A document that somebody is writing just now is not touched.
  whileOurs<T>(document: string, work: () => Promise<T>): Promise<T>;
};

export type IndexOptions = {
  state: string;
  workers: Workers;
  watched(): Watched[];
  alert(key: string, text: string): Promise<void>;
};

export function openIndex(o: IndexOptions): IndexKeeper {
  const inWork = new Map<string, number>();
  const indexes = openKept({ state: o.state, workers: o.workers, write: writeAnew });
  let turn: Promise<unknown> = Promise.resolve();
  let refreshing: Promise<void> | null = null;

  async function update(pane: WatchedPane, given: string): Promise<string | null> {
    if (pane.kind !== 'engine' || pane.workspace === null) return null;
    const tree = await treeOf(pane.folder);
    const isElsewhere = tree?.isLinked === true;
    if (isElsewhere && tree.main === null) return null; // a bare repository has no place for it
    const place = isElsewhere ? await placeIn(tree.main!, path.relative(tree.top, given)) : given;
    if (inWork.has(place) || place === pane.documentPath) return null;
    const file = await readDocumentFile(place);
    if (file.is === 'unusable') {
      await o.alert(`${place}/index`, `no index is kept at ${place}: ${file.why}`);
      return null;
    }
    const before = file.is === 'text' ? file.bytes.toString('latin1') : null;
    // Not begun in a tree where the agent does not work.
    if (isElsewhere && before === null) return null;
    const workspaces = await indexes.begin(place, pane.workspace);
    const next = withIndex(before, await blockFor(workspaces, place));
    if (next === null) {
      await o.alert(`${place}/index`, `the marks of Baton's index in ${place} are damaged: it is left as it is`);
      return null;
    }
    // Somebody's save in this very moment wins; the index comes with the next handoff.
    if (
      before === null ? !(await createText(path.dirname(place), place, next)) : !(await isReplaced(place, before, next))
    )
      return null;
    // Another working tree is on another branch: that commit would not be the agent's.
    const isTaken = tree !== null && !isElsewhere && isInside(place, tree.top) && (await canCommit(tree.top, place));
    await indexes.wrote(place, workspaces, isTaken);
    return isTaken ? place : null;
  }

  async function writeAnew({ place, workspaces, commit }: KeptIndex) {
    if (inWork.has(place)) return 'later';
    const file = await readDocumentFile(place);
    const before = file.is === 'text' ? file.bytes.toString('latin1') : null;
    if (before === null || !hasIndex(before)) return 'gone'; // somebody took it out
    const block = await blockFor(workspaces, place);
    const next = withIndex(before, block);
    if (next === null) return 'gone';
    const tree = commit ? await treeOf(path.dirname(place)) : null;
    const committed = tree === null ? null : await committedText(tree.top, place);
    if (!(await isReplaced(place, before, next))) return 'later';
    // Words of a person that are in no commit yet are theirs to commit.
    if (tree === null || committed === null || withIndex(committed, block) !== next) return 'uncommitted';
    if (!(await canCommit(tree.top, place))) return 'uncommitted';
    const handoffId = `index-${new Date().toISOString().replaceAll(/[-:T]|\..*/g, '')}`;
    const { place: where } = await commitHandoff({
      folder: tree.top,
      files: [place],
      removed: [],
      message: 'docs: index of agents\n',
      handoffId,
      ownRepository: ownRepository(o.state),
    });
    return where === 'branch' ? 'done' : 'uncommitted';
  }

  async function blockFor(workspaces: readonly string[], place: string): Promise<string> {
    const views = workspaces.map(workspace => o.workers.ofExecution(workspace));
    const panes = o.watched().filter(({ pane }) => workspaces.includes(pane.workspace ?? ''));
    const from = path.dirname(place);
    const indexed = views
      .flatMap(({ workers }) => workers)
      .map(async (worker): Promise<IndexedWorker> => {
        const at = panes.find(({ pane }) => `${pane.workspace}/${pane.agent}` === worker.key)?.pane;
        const branch = at === undefined ? null : ((await treeOf(at.folder))?.branch ?? null);
        // As a link of the index: the file is committed, and other machines have other folders.
        const document = at?.documentPath == null ? null : path.relative(from, at.documentPath);
        return { ...worker, document, branch };
      });
    const events = views.flatMap(view => view.events).toSorted((a, b) => a.n - b.n);
    const block = indexBlock({ at: new Date().toISOString(), workers: await Promise.all(indexed), events });
    return toBytes(makeRedactor(process.env).text(block));
  }

  return {
    bringUpToDate(pane, index) {
      const done = turn.then(() => update(pane, index));
      turn = done.catch(() => {});
      return done;
    },
    refresh(now) {
      // A hook of the project may take its time over the commit before.
      if (refreshing !== null) return refreshing;
      refreshing = turn
        .then(() => indexes.look(now))
        .finally(() => {
          refreshing = null;
        });
      turn = refreshing.catch(() => {});
      return refreshing;
    },
    async whileOurs(document, work) {
      inWork.set(document, (inWork.get(document) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = inWork.get(document)! - 1;
        if (left === 0) inWork.delete(document);
        else inWork.set(document, left);
      }
    },
  };
}

async function isReplaced(file: string, before: string, next: string): Promise<boolean> {
  if (next === before) return true;
  try {
    await replaceText(file, before, next);
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

type Tree = { top: string; isLinked: boolean; main: string | null; branch: string | null };

async function treeOf(folder: string): Promise<Tree | null> {
  const asked = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
  const answer = await runGit({ cwd: folder, args: asked }).catch(() => null);
  const [top, own, common] = (answer?.ok ? answer.stdout.toString('utf8') : '').trimEnd().split('\n');
  if (top === undefined || own === undefined || common === undefined) return null;
  const head = await runGit({ cwd: folder, args: ['symbolic-ref', '--quiet', '--short', 'HEAD'] }).catch(() => null);
  const branch = head?.ok ? head.stdout.toString('utf8').trim() : null;
  const main = path.basename(common) === '.git' ? path.dirname(common) : null;
  return { top: await realpath(top), isLinked: own !== common, main, branch };
}

async function committedText(top: string, file: string): Promise<string | null> {
  const args = ['cat-file', 'blob', `HEAD:${path.relative(top, file)}`];
  const answer = await runGit({ cwd: top, args }).catch(() => null);
  return answer?.ok ? answer.stdout.toString('latin1') : null;
}

// Neither ignored nor in the middle of a merge: it must not keep the agent's document off the branch.
async function canCommit(top: string, file: string): Promise<boolean> {
  const unmerged = await runGit({ cwd: top, args: ['ls-files', '--unmerged', '--', file] }).catch(() => null);
  if (unmerged === null || !unmerged.ok || unmerged.stdout.length > 0) return false;
  const name = Buffer.from(`${path.relative(top, file)}\0`);
  const env = { GIT_LITERAL_PATHSPECS: '0' }; // check-ignore knows none
  const args = ['check-ignore', '-z', '--stdin'];
  const ignored = await runGit({ cwd: top, env, args, input: name }).catch(() => null);
  return ignored?.code === 1;
}

const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
