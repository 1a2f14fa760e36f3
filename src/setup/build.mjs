// dist/ as src/ wants it. Whether it is stale is told by a fingerprint of names, sizes and times: unlike
// "newer than", it also sees a file that was deleted or that came from a copy with an older time.

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bin, buildStamp, bundledNode, inRoot, isFile, packagesStamp } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';
import { Stop, withProgress } from './stop.mjs';

export function fingerprint(places) {
  const hash = createHash('sha256');
  for (const file of places.flatMap(filesOf).sort()) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

function filesOf(place) {
  if (!statSync(place).isDirectory()) return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath ?? entry.path, entry.name));
}

const sources = () => fingerprint([inRoot('src'), inRoot('watchdog'), inRoot('tsconfig.json'), packagesStamp]);

export function isBuildFresh() {
  try {
    return isFile(bin) && JSON.parse(readFileSync(buildStamp, 'utf8')).sources === sources();
  } catch {
    return false; // no stamp, or not a readable one: build
  }
}

export async function build() {
  await withProgress('building', async () => {
    const made = sources(); // taken before: an edit during the build must lead to another one
    // tsc's own notes say "nothing to do" even where somebody removed what it made.
    if (!isFile(bin)) rmSync(inRoot('dist', '.tsbuildinfo'), { force: true });
    await compile('.');
    await compile('watchdog');
    placeWatchdog();
    chmodSync(bin, 0o755);
    writeFileSync(buildStamp, `${JSON.stringify({ sources: made })}\n`);
  });
}

async function compile(project) {
  const compiler = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await runQuietly(bundledNode, [compiler, '-p', project]);
  if (code !== 0) throw new Stop(1, `the TypeScript compiler found problems:\n${output.trim()}`);
}

// In the sources the watchdog stands beside src/, in dist/ among its folders: one step less to the rest.
function placeWatchdog() {
  const [made, place] = [inRoot('dist', '.watchdog', 'watchdog'), inRoot('dist', 'watchdog')];
  rmSync(place, { recursive: true, force: true });
  for (const name of readdirSync(made, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    const text = readFileSync(path.join(made, name), 'utf8');
    writeFileSync(path.join(place, name), text.replaceAll(/(['"])((?:\.\.\/)+)src\//g, '$1$2'));
  }
  rmSync(inRoot('dist', '.watchdog'), { recursive: true, force: true });
}
