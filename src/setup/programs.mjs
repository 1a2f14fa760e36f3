// The programs Baton cannot do without: are they here, and new enough? Installs them where it may
// (root on Debian and its kin), else stops with the one line to run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runQuietly } from './run-quietly.mjs';
import { Stop, withProgress } from './stop.mjs';

const MISSING = 69;
const APT = '/usr/bin/apt-get';

export const needed = [
  { name: 'tmux', ask: ['-V'], least: [3, 2] },
  { name: 'git', ask: ['--version'], least: [2, 30] },
];

// "tmux 3.3a" → [3, 3]; "tmux next-3.6" → [3, 6]; "git version 2.39.5 (Apple Git-154)" → [2, 39].
export function parseVersion(text) {
  const match = /(\d+)\.(\d+)/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

// A version nobody can read ("tmux master") belongs to someone who builds from source: taken as new.
export function isEnough(version, [major, minor]) {
  if (version === null) return true;
  return version[0] > major || (version[0] === major && version[1] >= minor);
}

export function lacking(programs = needed) {
  return programs.flatMap(program => {
    const asked = spawnSync(program.name, program.ask, { encoding: 'utf8' });
    if (asked.error !== undefined || asked.status !== 0) return [{ ...program, found: null }];
    return isEnough(parseVersion(asked.stdout), program.least) ? [] : [{ ...program, found: asked.stdout.trim() }];
  });
}

export function lineToRun(names, platform = process.platform) {
  if (platform === 'darwin') return `brew install ${names.join(' ')}`;
  return `sudo apt-get install -y ${names.join(' ')}`;
}

export async function ensurePrograms() {
  let missing = lacking();
  if (missing.length === 0) return;
  const names = missing.map(program => program.name);
  if (process.getuid?.() === 0 && existsSync(APT)) {
    await withProgress(`installing ${names.join(' and ')}`, () => aptInstall(names));
    missing = lacking();
  }
  if (missing.length === 0) return;
  const lines = missing.map(({ name, least, found }) => {
    const state = found === null ? 'is not installed' : `is too old (${found})`;
    return `${name} ${state}; Baton needs ${name} ${least.join('.')} or newer.`;
  });
  throw new Stop(MISSING, `${lines.join('\n')}\nRun: ${lineToRun(missing.map(program => program.name))}`);
}

async function aptInstall(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // A failed update is not the end: the lists that are there may be good enough.
  await runQuietly(APT, ['update', '-qq'], env);
  const { code, output } = await runQuietly(APT, ['install', '-y', '-qq', '--no-install-recommends', ...names], env);
  if (code !== 0) throw new Stop(MISSING, `${output.trim()}\nRun: ${lineToRun(names)}`);
}
