// Runs one of the pane's scripts as Claude Code does: payload on stdin, a short environment, nothing else.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export const scripts = path.resolve(import.meta.dirname, '../../templates/claude');

export type Shell = { name: string; argv: string[] };

// sh is one of the two on every machine we know; both must do.
export const shells: Shell[] = [
  { name: 'sh', argv: ['/bin/sh'] },
  { name: 'dash', argv: ['/bin/dash'] },
  { name: 'bash --posix', argv: ['/bin/bash', '--posix'] },
].filter(({ argv }) => existsSync(argv[0]!));

export type Ended = { code: number | null; stdout: string; stderr: string; ms: number };

// bash (not when called as sh) takes a socket on stdin without SHLVL for a remote login and reads ~/.bashrc.
const nested = { SHLVL: '1' };

const LIMIT_MS = 15_000;

export function runScript(
  argv: string[],
  input: string | Buffer | null,
  env: Record<string, string> = {},
): Promise<Ended> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0]!, argv.slice(1), {
      env: { ...nested, ...env },
      stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', data => (stdout += data));
    child.stderr!.on('data', data => (stderr += data));
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(limit);
      resolve({ code, stdout, stderr, ms: performance.now() - started });
    });
    // A script need not read what it is told.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
