// Which executions this user has: a small file each in the state folder, so that an id or the beginning
// of one finds its workspace again.

import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../files/state-folder.ts';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { placesIn } from '../run/workspace-places.ts';

export { stateFolder };

export type Execution = { id: string; workspace: string };
type Entry = Execution & { startedAt: string };

const registry = (): string => path.join(stateFolder(), 'executions');
const fileOf = (workspace: string): string =>
  path.join(registry(), `${createHash('sha256').update(workspace).digest('hex').slice(0, 24)}.json`);

export async function rememberExecution(entry: Entry): Promise<void> {
  await mkdir(registry(), { recursive: true, mode: 0o700 });
  await writeJson(fileOf(entry.workspace), entry, { sync: false });
}

export const forgetExecution = (workspace: string): Promise<void> => rm(fileOf(workspace), { force: true });

const EntryShape = {
  parse(value: unknown): Entry {
    const entry = value as Entry;
    if (typeof entry?.id === 'string' && typeof entry.workspace === 'string' && typeof entry.startedAt === 'string')
      return entry;
    throw new Error('not an execution entry');
  },
};

export async function listExecutions(): Promise<Execution[]> {
  const names = await readdir(registry()).catch(() => []);
  const read = names
    .filter(name => name.endsWith('.json'))
    .map(async name => {
      const entry = await readJson(path.join(registry(), name), EntryShape).catch(() => null);
      // A workspace that was deleted by hand is no execution any more.
      return entry !== null && (await exists(placesIn(entry.workspace).events)) ? entry : null;
    });
  const entries = (await Promise.all(read)).filter(entry => entry !== null);
  return entries.sort((a, b) => b.startedAt.localeCompare(a.startedAt)).map(({ id, workspace }) => ({ id, workspace }));
}

export async function findExecution(ref: string): Promise<Execution> {
  const all = await listExecutions();
  const same = all.filter(entry => entry.id === ref);
  const matches = same.length > 0 ? same : all.filter(entry => entry.id.startsWith(ref));
  if (matches.length === 1) return matches[0]!;
  const workspace = matches.length === 0 ? await realpath(path.resolve(ref)).catch(() => null) : null;
  if (workspace !== null) {
    const known = all.find(entry => entry.workspace === workspace);
    if (known) return known;
    const unlisted = await readUnlisted(workspace);
    if (unlisted) return unlisted;
  }
  if (matches.length > 1) {
    const list = matches.map(entry => `${entry.id} (${entry.workspace})`).join(', ');
    throw new Fault(
      'invalid',
      `"${ref}" fits ${matches.length} executions: ${list}`,
      'give more of the id, or the workspace path',
    );
  }
  throw new Fault(
    'invalid',
    `no execution is called "${ref}"`,
    '`baton list` shows them all; a workspace path works too',
  );
}

// A workspace of another user or machine is not in our list, but its events say who it is.
async function readUnlisted(workspace: string): Promise<Execution | null> {
  const { events } = placesIn(workspace);
  if (!(await exists(events))) return null;
  const { readJournal } = await import('./journal.ts');
  const first = readJournal(events).events[0];
  return first?.type === 'execution_started' ? { id: first.data.request.execution_id, workspace } : null;
}
