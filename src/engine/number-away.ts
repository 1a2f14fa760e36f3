// Keeps an older result by a number: execution_report.json becomes execution_report.1.json, merged/ merged.1/.

import { rename } from 'node:fs/promises';
import path from 'node:path';
import { isThere } from './prepare-attempt.ts';

export async function numberAway(file: string): Promise<string | null> {
  if (!(await isThere(file))) return null;
  const { dir, name, ext } = path.parse(file);
  for (let n = 1; ; n++) {
    const older = path.join(dir, `${name}.${n}${ext}`);
    if (await isThere(older)) continue;
    await rename(file, older);
    return older;
  }
}
