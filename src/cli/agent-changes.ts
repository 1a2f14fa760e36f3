// What one attempt of an agent changed: the repositories it works in against the commit of its beginning, and its
// outputs against what stood there before. Looks only.

import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../files/guard-path.ts';
import { readRegular } from '../files/read-file.ts';
import { walkTree } from '../files/walk-tree.ts';
import { type TreeChange, worktreeChanges } from '../git/worktree-changes.ts';
import { TaskFile } from '../protocol/agent.ts';
import { attemptPlaces } from '../run/workspace-places.ts';

export type ChangedPlace = { place: string; since: string; changes: (TreeChange & { wasChanged: boolean })[] };

type Before = { repositories?: { repository: string; head: string | null; changed: string[] }[] };

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_FILES = 500;

export async function agentChanges(
  workspace: string,
  agent: string,
  o: { attempt: number; isLast: boolean },
): Promise<ChangedPlace[] | null> {
  const places = attemptPlaces(workspace, agent, o.attempt);
  const task = await readValue(places.taskFile, value => TaskFile.parse(value));
  if (task === null) return null;
  const before = (await readValue(places.beforeFile, value => value as Before)) ?? {};
  const repositories = o.isLast ? (before.repositories ?? []) : [];
  const found: ChangedPlace[] = [];
  for (const { repository, head, changed } of repositories) {
    const known = new Set(changed);
    const changes = await worktreeChanges(repository, head);
    found.push({
      place: repository,
      since: head === null ? 'it began' : `commit ${head.slice(0, 10)}`,
      changes: changes.map(each => ({ ...each, wasChanged: known.has(each.path) })),
    });
  }
  const earlier = attemptPlaces(workspace, agent, o.attempt - 1).archive;
  for (const [slot, output] of Object.entries(task.outputs)) {
    if (repositories.some(({ repository }) => isInside(output, repository))) continue;
    const now = o.isLast ? output : `${places.archive}/outputs/${slot}`;
    const changes = await treeChanges(`${earlier}/outputs/${slot}`, now, path.basename(output));
    found.push({ place: output, since: o.attempt > 1 ? `attempt ${o.attempt - 1}` : 'it began', changes });
  }
  return found;
}

async function treeChanges(before: string, after: string, name: string): Promise<ChangedPlace['changes']> {
  const [old, now] = [await filesOf(before), await filesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  const changes: ChangedPlace['changes'] = [];
  for (const below of names.slice(0, MAX_FILES)) {
    const [a, b] = [await contentOf(old.get(below)), await contentOf(now.get(below))];
    if (a.content !== null && b.content !== null && !a.isTooLarge && !b.isTooLarge && a.content.equals(b.content))
      continue;
    const isTooLarge = a.isTooLarge || b.isTooLarge;
    changes.push({
      path: below === '' ? name : `${name}/${below}`,
      before: a.content,
      after: b.content,
      isTooLarge,
      wasChanged: false,
    });
  }
  return changes;
}

async function filesOf(root: string): Promise<Map<string, string>> {
  const stats = await lstat(root).catch(() => null);
  if (stats === null) return new Map();
  if (!stats.isDirectory()) return new Map([['', root]]);
  const entries = await walkTree(root).catch(() => []);
  const files = entries.filter(entry => entry.kind === 'file' || entry.kind === 'symlink');
  return new Map(files.map(entry => [entry.path, path.join(root, entry.path)]));
}

async function contentOf(file: string | undefined): Promise<{ content: Buffer | null; isTooLarge: boolean }> {
  const stats = file === undefined ? null : await lstat(file).catch(() => null);
  if (stats === null) return { content: null, isTooLarge: false };
  if (stats.isSymbolicLink()) return { content: Buffer.from(await readlink(file!)), isTooLarge: false };
  if (stats.size > MAX_BYTES) return { content: Buffer.alloc(0), isTooLarge: true };
  const content = await readRegular(file!).catch(() => null);
  return { content, isTooLarge: false };
}

async function readValue<T>(file: string, parse: (value: unknown) => T): Promise<T | null> {
  try {
    return parse(JSON.parse((await readRegular(file)).toString('utf8')));
  } catch {
    return null;
  }
}
