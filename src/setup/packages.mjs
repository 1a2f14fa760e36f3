// node_modules as package-lock.json wants it: `npm ci` when it is missing or the lock file changed.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledNode, inRoot, isFile, modules, packagesStamp } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';
import { Stop, withProgress } from './stop.mjs';

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');

export function arePackagesFresh(stampFile = packagesStamp) {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).lock_sha256 === lockHash() && isFile(bundledNode);
  } catch {
    return false; // no stamp, or not a readable one: install
  }
}

export async function installPackages() {
  await withProgress('installing packages', async () => {
    const hash = lockHash();
    rmSync(packagesStamp, { force: true }); // a half-done install must not look like a whole one
    let { code, output } = await npm('ci');
    // --no-save: the lock file decides about everything it names, and is not written to.
    if (code !== 0 && lacksOnlyPlatforms(output)) ({ code, output } = await npm('install', '--no-save'));
    if (code !== 0) throw new Stop(1, `npm failed:\n${shorten(output)}\nSee above, then run the same command again.`);
    if (!isFile(bundledNode)) {
      throw new Stop(
        1,
        'npm did not run the install script of the package "node".\nRun: npm rebuild node --ignore-scripts=false',
      );
    }
    writeFileSync(packagesStamp, `${JSON.stringify({ lock_sha256: hash })}\n`);
  });
}

// `npm ci` refuses a lock file that was written where a registry did not have the builds of some package
// for other platforms (npm/cli#4828). That, and only that, is no reason to stop: every name it misses must
// be an optional dependency of a package that is locked.
export function lacksOnlyPlatforms(output, lockFile = inRoot('package-lock.json')) {
  const missed = [...output.matchAll(/^npm error Missing: (@?[^@\s]+)@/gm)].map(([, name]) => name);
  if (missed.length === 0 || /^npm error Invalid: /m.test(output)) return false;
  const locked = Object.values(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  const optional = new Set(locked.flatMap(entry => Object.keys(entry.optionalDependencies ?? {})));
  return missed.every(name => optional.has(name));
}

// npm explains all its options after a refusal; what went wrong stands above that.
const shorten = output => output.trim().split('\n').slice(0, 40).join('\n');

// Development packages are wanted even where NODE_ENV or npm's settings leave them out: the compiler
// and the bundled Node are among them.
function npm(...words) {
  const args = [...words, '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
  const script = process.env.npm_execpath;
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script);
  return isNpm ? runQuietly(outsideNode(), [script, ...args]) : runQuietly('npm', args);
}

// npm ci removes node_modules, and with it the Node 24 that may be running this file.
export function outsideNode(env = process.env, execPath = process.execPath) {
  const isOutside = file => file !== undefined && !file.startsWith(modules + path.sep) && isFile(file);
  const onPath = (env.PATH ?? '').split(path.delimiter).map(folder => path.resolve(folder, 'node'));
  return [env.npm_node_execpath, execPath, ...onPath].find(isOutside) ?? execPath;
}
