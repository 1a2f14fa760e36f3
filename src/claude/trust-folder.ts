// Says to Claude Code that a folder is trusted, in the user's own config: only for folders the operator named
// with --trust, and nothing else of that file is changed. A project's settings can run programs, so without
// being told Baton never answers that question.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/write-file.ts';
import { acquireLock } from '../lock/lock.ts';
import { Fault } from '../protocol/fault.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export const configFile = (env: Variables): string =>
  env.CLAUDE_CONFIG_DIR ? path.join(env.CLAUDE_CONFIG_DIR, '.claude.json') : path.join(env.HOME ?? '', '.claude.json');

export async function trustFolder(folder: string, env: Variables, lockFolder: string): Promise<void> {
  const file = configFile(env);
  const lock = await acquireLock(path.join(lockFolder, 'trust.lock'), { what: 'baton --trust' });
  try {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return; // never set up: the onboarding is told when it shows
    const config = parse(text, file);
    const projects = objectOf(config.projects);
    const project = objectOf(projects[folder]);
    if (project.hasTrustDialogAccepted === true) return;
    const changed = { ...config, projects: { ...projects, [folder]: { ...project, hasTrustDialogAccepted: true } } };
    const { mode } = await stat(file);
    await writeFileAtomic(file, `${JSON.stringify(changed, null, 2)}\n`, { mode: mode & 0o777 });
  } finally {
    if (lock.held) lock.release();
  }
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch (cause) {
    throw new Fault('refused', `"${file}" is not valid JSON; it was not touched`, 'mend it, or run `claude` once', {
      cause,
    });
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
