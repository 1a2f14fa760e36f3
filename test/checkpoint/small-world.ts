// A workspace with something of every kind in it, a second allowed root, a canary beside them, and a
// listing exact enough to compare before and after.

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { walkTree } from '../../src/files/walk-tree.ts';
import { tempFolder } from '../files/temp-folder.ts';

export type World = { workspace: string; covered: string[]; roots: string[]; file: string };

export function makeWorld(): { base: string; world: World } {
  const base = tempFolder();
  const workspace = join(base, 'ws');
  for (const name of ['ws/src/deep/empty', 'ws/out', 'other/place', 'canary/sub']) {
    mkdirSync(join(base, name), { recursive: true });
  }
  writeFileSync(join(base, 'canary/sub/file'), 'canary');
  writeFileSync(join(workspace, 'src/deep/run.sh'), '#!/bin/sh\n');
  chmodSync(join(workspace, 'src/deep/run.sh'), 0o755);
  writeFileSync(join(workspace, `src/${'long-ü-'.repeat(28)}`), 'long name');
  writeFileSync(join(workspace, 'src/empty'), '');
  symlinkSync('deep/run.sh', join(workspace, 'src/link'));
  symlinkSync(join(base, 'canary'), join(workspace, 'src/link-out'));
  writeFileSync(join(workspace, 'one.txt'), 'one');
  utimesSync(join(workspace, 'one.txt'), 1_111_111_111.123457, 1_111_111_111.123457);
  symlinkSync('../canary/sub/file', join(workspace, 'as-link'));
  writeFileSync(join(workspace, 'uncovered'), 'uncovered');
  writeFileSync(join(base, 'other/place/x'), 'x');
  chmodSync(join(workspace, 'src/deep'), 0o550);
  const names = ['src', 'one.txt', 'as-link', 'out/new', 'out/missing/deep'].map(name => join(workspace, name));
  const covered = [...names, join(base, 'other/place')];
  const file = join(workspace, 'checkpoint/checkpoint.tar.gz');
  return { base, world: { workspace, covered, roots: [workspace, join(base, 'other')], file } };
}

export async function listing(...roots: string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const root of roots) {
    for (const entry of await walkTree(root)) {
      const path = join(root, entry.path);
      const content = entry.kind === 'file' ? createHash('md5').update(readFileSync(path)).digest('hex') : '';
      const time = Math.round(entry.mtimeMs * 1000);
      lines.push([path, entry.kind, entry.mode.toString(8), time, entry.target ?? '', content].join(' | '));
    }
  }
  return lines;
}
