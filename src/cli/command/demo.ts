// `baton demo`, which `npm start` runs: the sample request, in a new folder below workspaces/.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRequest } from '../../engine/run-execution.ts';
import type { CommandInput } from '../command-spec.ts';
import { followRun } from '../follow-run.ts';

// The same distance from src/cli/command and from dist/cli/command.
const sample = fileURLToPath(new URL('../../../templates/sample', import.meta.url));

export async function run(input: CommandInput): Promise<number> {
  const folder = await makeFolder(path.resolve('workspaces'));
  await cp(sample, folder, { recursive: true });
  const file = path.join(folder, 'execution_request.json');
  // Every run of the sample is an execution of its own, so it needs a name of its own.
  const request = { ...JSON.parse(await readFile(file, 'utf8')), execution_id: path.basename(folder) };
  await writeFile(file, `${JSON.stringify(request, null, 2)}\n`);
  return followRun(input, watching => runRequest({ file }, { allowRoots: [], ...watching }));
}

async function makeFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  for (let n = 1; ; n += 1) {
    const folder = path.join(parent, n === 1 ? `sample-${stamp}` : `sample-${stamp}-${n}`);
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
