#!/usr/bin/env -S node --max-semi-space-size=4
// The command itself. Must parse and run on Node 20: where Node is too old, it looks for the npm package
// `node` and runs itself again with that one. Everything else is in main.ts.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST: readonly [number, number] = [22, 22];

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
}

// Beside Baton (a clone, or a package that brings its own Node), else in the project of the caller.
function findNewerNode(): string | null {
  const roots = [fileURLToPath(import.meta.url), path.join(process.cwd(), 'package.json')];
  for (const from of roots) {
    try {
      const file = path.join(path.dirname(createRequire(from).resolve('node/package.json')), 'bin', 'node');
      if (existsSync(file)) return file;
    } catch {
      // No such package on this way up; the next place is tried.
    }
  }
  return null;
}

function runAgainWith(node: string): void {
  // A second look at the version would loop for ever if the package held an old Node.
  const env = { ...process.env, BATON_NODE_FOUND: '1' };
  const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT'];
  let child: ChildProcess | null = null;
  // Listened to before the child starts: a signal in between would end only this process.
  // A terminal sends Ctrl-C to parent and child alike; only without one must it be passed on.
  for (const signal of signals) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal);
    });
  }
  child = spawn(node, ['--max-semi-space-size=4', fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  child.on('error', () => giveUp());
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function giveUp(): void {
  const lines = [
    `baton: Node ${process.versions.node} is too old; Baton needs Node ${LEAST.join('.')} or newer.`,
    '    cure: install a newer Node, or run: npm install --save-dev node@24',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 69;
}

// A cache of compiled code halves the start. It holds code that will run, so it is used only where
// nobody else could have written it; without it everything works, only later.
function cacheCompiledCode(): void {
  const uid = process.getuid?.() ?? 0;
  const state = process.env.BATON_STATE_DIR;
  const folder = state ? path.join(state, 'compile-cache') : path.join(os.tmpdir(), `baton-compile-cache-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    if (stats.isDirectory() && stats.uid === uid && (stats.mode & 0o022) === 0) module.enableCompileCache(folder);
  } catch {
    // A folder that cannot be made is no reason not to start.
  }
}

if (isNewEnough(process.versions.node)) {
  delete process.env.BATON_NODE_FOUND; // meant for this process, not for what it starts
  cacheCompiledCode();
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
} else {
  const newer = process.env.BATON_NODE_FOUND === '1' ? null : findNewerNode();
  if (newer === null) giveUp();
  else runAgainWith(newer);
}
