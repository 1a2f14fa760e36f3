// Three-way merge of texts with `git merge-file`, in a folder of its own, with nobody's git settings.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { Fault } from '../../protocol/fault.ts';

const LIMIT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

export type Merged = { body: Buffer } | { reason: string };

// More than two sides are folded: each is merged into what the ones before it gave.
export async function mergeThreeWay(sides: Buffer[], base: Buffer, workFolder: string): Promise<Merged> {
  const folder = await mkdtemp(path.join(workFolder, 'tmp-'));
  try {
    let body = sides[0]!;
    for (const other of sides.slice(1)) {
      const merged = await mergePair({ mine: body, base, theirs: other }, folder);
      if ('reason' in merged) return merged;
      body = merged.body;
    }
    return { body };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function mergePair(files: Record<'mine' | 'base' | 'theirs', Buffer>, folder: string): Promise<Merged> {
  await Promise.all(Object.entries(files).map(([name, body]) => writeFile(path.join(folder, name), body)));
  const result = await execa('git', ['merge-file', '-p', '-q', 'mine', 'base', 'theirs'], {
    cwd: folder,
    env: gitEnvironment(folder),
    extendEnv: false,
    reject: false,
    timeout: LIMIT_MS,
    forceKillAfterDelay: 2_000,
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: MAX_OUTPUT,
    stdin: 'ignore',
  });
  if (result.exitCode === 0 && !result.failed) return { body: Buffer.from(result.stdout) };
  if (result.code === 'ENOENT') {
    throw new Fault('missing', 'git was not found, and two texts must be merged.', 'Install git 2.30 or later.');
  }
  if (result.timedOut) return { reason: `git merge-file took longer than ${LIMIT_MS / 1000} s` };
  // git merge-file answers with the number of conflicts (127 at most), or with 255 on an error.
  const isOverlap = result.exitCode !== undefined && result.exitCode > 0 && result.exitCode < 128;
  if (isOverlap) return { reason: 'the changes overlap' };
  return { reason: `git merge-file failed: ${Buffer.from(result.stderr).toString('utf8').trim().slice(0, 300)}` };
}

function gitEnvironment(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    // No repository above this folder, which an agent may have made, has a say.
    GIT_CEILING_DIRECTORIES: path.dirname(folder),
  };
}
