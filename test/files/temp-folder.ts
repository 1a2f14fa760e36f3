// A fresh folder per test, gone afterwards.

import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeTree } from '../../src/files/move-tree.ts';

export function tempFolder(under: string = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(under, 'baton-test-')));
  onTestFinished(() => removeTree(folder));
  return folder;
}
