// A Claude Code config folder for practice and tests, and the environment that goes with it. Starts without any
// dialog in the trusted folders. Never used on a folder that somebody's own Claude Code has written.

import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';

export type HomeOptions = { trusted: readonly string[] };

const MARK = 'baton-practice.json';

// Safe to repeat: folders trusted earlier stay so, and what Claude Code wrote itself is kept.
export async function seedPracticeHome(folder: string, { trusted }: HomeOptions): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, '.claude.json');
  const isOurs = await exists(path.join(folder, MARK));
  const isTaken = await exists(file);
  if (isTaken && !isOurs) {
    throw new Fault('refused', `"${folder}" is a Claude Code config folder of somebody else`, 'name an empty folder');
  }
  await writeJson(path.join(folder, MARK), { about: 'Claude Code config of Baton practice; may be removed.' });
  const before = isTaken ? await readJson(file, anyObject) : {};
  // Claude Code looks a folder up by its real path, so a link to it is trusted by both names.
  const named = await Promise.all(trusted.map(async place => [path.resolve(place), await realpath(place)]));
  const projects = Object.fromEntries(named.flat().map(place => [place, TRUSTED]));
  await writeJson(
    file,
    {
      ...before,
      hasCompletedOnboarding: true,
      theme: 'dark',
      hasSeenAutoDefaultNotice: true,
      bypassPermissionsModeAccepted: true,
      projects: { ...anyObject.parse(before.projects ?? {}), ...projects },
    },
    { mode: 0o600 },
  );
}

// A token instead of a key: a key would be asked about. Its text is read by nobody.
export function practiceEnvironment(url: string, configFolder: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: 'no-account-needed-for-practice',
    CLAUDE_CONFIG_DIR: configFolder,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  };
}

const TRUSTED = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };

const anyObject = {
  parse(value: unknown): Record<string, unknown> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error('is not an object');
  },
};
