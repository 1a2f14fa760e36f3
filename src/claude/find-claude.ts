// Which Claude Code runs, and is it one that Baton was tried with? A version outside of the tried ones is
// told, never refused: its screens may read differently, and then "unknown" is what Baton reads.

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Fault } from '../protocol/fault.ts';

export const oldestTried = '2.1.326';
export const newestTried = '2.1.326';

const LIMIT_MS = 15_000;
const IN_PACKAGE = fileURLToPath(new URL('../../node_modules/.bin/claude', import.meta.url));

type Variables = Readonly<Record<string, string | undefined>>;

// Configured (agent.json, then BATON_CLAUDE), then PATH, then node_modules.
export async function findClaude(configured: string | undefined, env: Variables): Promise<string> {
  const named = configured ?? env.BATON_CLAUDE;
  if (named !== undefined && named !== '') {
    if (await isProgram(path.resolve(named))) return path.resolve(named);
    const where = configured === undefined ? 'BATON_CLAUDE' : 'claude_path of agent.json';
    throw new Fault('missing', `${where} names "${named}", which is no program`, 'correct it, or leave it out');
  }
  const onPath = (env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  for (const candidate of [...onPath.map(folder => path.join(folder, 'claude')), IN_PACKAGE]) {
    if (await isProgram(candidate)) return candidate;
  }
  throw new Fault(
    'missing',
    'Claude Code ("claude") was not found on PATH or in node_modules',
    'npm install -g @anthropic-ai/claude-code, or set BATON_CLAUDE to its path',
  );
}

export async function claudeVersion(file: string): Promise<string | null> {
  const run = promisify(execFile);
  const { stdout } = await run(file, ['--version'], { timeout: LIMIT_MS }).catch(() => ({ stdout: '' }));
  return /^(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null;
}

export function versionNote(version: string | null): string | null {
  if (version === null) return 'the version of Claude Code could not be read';
  if (compare(version, oldestTried) < 0)
    return `Claude Code ${version} is older than ${oldestTried}, the oldest Baton was tried with`;
  if (compare(version, newestTried) > 0)
    return `Claude Code ${version} is newer than ${newestTried}, the newest Baton was tried with`;
  return null;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map(text => text.split('.').map(Number));
  const at = left!.findIndex((part, index) => part !== right![index]);
  return at < 0 ? 0 : left![at]! - right![at]!;
}

const isProgram = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
};
