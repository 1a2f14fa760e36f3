// What processes that were killed left behind: private folders of git, half-written files, and journals of handoffs
// that are long over. Nothing that a living process may need, and nothing with another name.

import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { privateFolderOwner } from '../src/git/build-tree.ts';
import { readProcess } from '../src/process/process-table.ts';

// As src/files/write-file.ts names what it is about to rename. An hour is longer than any write.
const HALF_WRITTEN = /^\.tmp-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OLD_MS = 60 * 60_000;
const MOST_JOURNALS = 500;

export async function sweepState(state: string, tmp: string): Promise<void> {
  for (const name of await namesIn(tmp)) {
    const owner = privateFolderOwner(name);
    if (owner !== null && readProcess(owner) === null && (await isOurs(path.join(tmp, name))))
      await rm(path.join(tmp, name), { recursive: true, force: true });
  }
  for (const folder of ['', 'handoffs', 'journals', 'panes', 'projects'])
    await sweepHalfWritten(path.join(state, folder));
  await boundJournals(path.join(state, 'journals', 'done'));
}

export async function sweepHalfWritten(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!HALF_WRITTEN.test(name)) continue;
    const file = path.join(folder, name);
    const facts = await lstat(file).catch(() => null);
    if (facts?.isFile() && Date.now() - facts.mtimeMs > OLD_MS) await rm(file, { force: true });
  }
}

// Named by their handoff, which begins with its time: the oldest are the first.
async function boundJournals(folder: string): Promise<void> {
  const names = (await namesIn(folder)).filter(name => name.endsWith('.ndjson')).sort();
  for (const name of names.slice(0, -MOST_JOURNALS)) await rm(path.join(folder, name), { force: true });
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function isOurs(file: string): Promise<boolean> {
  const facts = await lstat(file).catch(() => null);
  return facts?.isDirectory() === true && facts.uid === process.getuid?.();
}
