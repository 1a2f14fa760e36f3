// Where a path really leads, and whether that is allowed. Links are walked one by one on the disk;
// containment is decided by segments, never by string prefix. Synchronous inside: a look at one part of a
// path takes microseconds, a trip to the thread pool many times that, and a run makes thousands of them.

import { lstatSync, mkdirSync, readlinkSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

// The kernel's own limit for one lookup.
const MAX_LINKS = 40;

export class PathEscape extends Error {
  override name = 'PathEscape';
  readonly path: string;
  readonly resolved: string;

  constructor(path: string, resolved: string, why: string) {
    super(`"${path}" ${why}`);
    this.path = path;
    this.resolved = resolved;
  }
}

export function isInside(path: string, root: string): boolean {
  const between = relative(resolve(root), resolve(path));
  return between === '' || (between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

// The path after all links, also for what does not exist yet. ".." is taken after the link before it,
// as the kernel does, so nothing is collapsed by text first.
export async function realTarget(path: string): Promise<string> {
  if (path.includes('\0')) throw new PathEscape(path, path, 'holds a NUL character');
  const rest = segmentsOf(isAbsolute(path) ? path : `${process.cwd()}/${path}`);
  let here = '/';
  let links = 0;
  while (rest.length > 0) {
    const segment = rest.shift() as string;
    if (segment === '..') {
      here = resolve(here, '..');
      continue;
    }
    const next = join(here, segment);
    const target = linkTarget(next);
    if (target === null) {
      here = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new PathEscape(path, next, 'runs through too many symlinks');
    if (isAbsolute(target)) here = '/';
    rest.unshift(...segmentsOf(target));
  }
  return here;
}

const segmentsOf = (path: string) => path.split('/').filter(segment => segment !== '' && segment !== '.');

function linkTarget(path: string): string | null {
  try {
    if (!lstatSync(path).isSymbolicLink()) return null;
    const bytes = readlinkSync(path, { encoding: 'buffer' });
    const target = bytes.toString('utf8');
    if (Buffer.from(target).equals(bytes)) return target;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EINVAL'].includes(code)) return null;
    throw error;
  }
  // Decoding it would name another file than the kernel would open.
  throw new PathEscape(path, path, 'is a symlink whose target is not valid UTF-8');
}

export async function resolveInside(
  path: string,
  roots: readonly string[],
  options: { allowRoot?: boolean } = {},
): Promise<string> {
  return (await findInside(path, roots, options.allowRoot ?? false)).target;
}

async function findInside(path: string, roots: readonly string[], allowRoot: boolean) {
  const target = await realTarget(path);
  for (const given of roots) {
    const root = await realTarget(given);
    if (isInside(target, root) && (allowRoot || target !== root)) return { target, root };
  }
  const allowed = roots.map(root => `"${root}"`).join(', ');
  throw new PathEscape(path, target, `leads to "${target}", which is not inside ${allowed || 'any allowed folder'}`);
}

// mkdir -p that looks at every component: one that turns out to be a link was put there meanwhile.
export async function makeFolder(path: string, roots: readonly string[]): Promise<string> {
  const { target, root } = await findInside(path, roots, true);
  mkdirSync(root, { recursive: true });
  let here = root;
  for (const segment of segmentsOf(relative(root, target))) {
    here = join(here, segment);
    makeOne(here, path);
  }
  const now = await realTarget(target);
  if (now !== target) throw new PathEscape(path, now, `was moved to "${now}" while it was made`);
  return target;
}

function makeOne(folder: string, path: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const stats = lstatSync(folder);
    if (stats.isSymbolicLink()) throw new PathEscape(path, folder, `meets a symlink at "${folder}"`);
    if (!stats.isDirectory()) throw new Error(`"${folder}" is a file where a folder is needed; move it away`);
  }
}
