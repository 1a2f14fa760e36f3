// Which executions this user has: a small file each in the state folder, so that engine, watchdog and commands
// find a workspace again.

import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../files/state-folder.ts';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import { placesIn } from '../run/workspace-places.ts';

export type Execution = { id: string; workspace: string };
type Entry = Execution & { startedAt: string };

// Changes whenever an execution is begun or forgotten.
export const registry = (): string => path.join(stateFolder(), 'executions');
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
