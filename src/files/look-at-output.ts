// Is a declared output really there? Looked at without following any link, and never by opening anything
// that is not a regular file.

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isInside, PathEscape, resolveInside } from './guard-path.ts';
import { hasContent, walkTree } from './walk-tree.ts';

export async function lookAtOutput(output: string, roots: readonly string[]): Promise<string | null> {
  const stat = await lstat(output).catch(() => null);
  if (stat === null) return `is missing: ${output}`;
  try {
    await resolveInside(output, roots);
  } catch (error) {
    if (error instanceof PathEscape) return `lies where it may not: ${error.message}`;
    throw error;
  }
  if (stat.isSymbolicLink()) return `is a symlink: ${output}`;
  const odd = await findOdd(output);
  if (odd !== null) return odd;
  return (await hasContent(output)) ? null : `is empty: ${output}`;
}

// Links may point around inside the output, nowhere else; pipes, sockets and devices are no result.
async function findOdd(output: string): Promise<string | null> {
  for (const entry of await walkTree(output)) {
    if (entry.kind === 'other') return `holds something that is neither file, folder nor link: ${entry.path || output}`;
    if (entry.kind !== 'symlink') continue;
    const target = entry.target ?? '';
    const place = path.resolve(path.dirname(path.join(output, entry.path)), target);
    if (path.isAbsolute(target) || !isInside(place, output))
      return `holds a symlink that leaves it: ${entry.path} -> ${target}`;
  }
  return null;
}
