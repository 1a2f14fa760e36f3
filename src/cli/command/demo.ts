// `baton demo`, which `npm start` runs: the sample request in a new folder below workspaces/, by real Claude
// Code sessions. What answers them is a script, unless --real asks for the user's own account.

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findClaude } from '../../claude/find-claude.ts';
import { runRequest } from '../../engine/run-execution.ts';
import { practiceEnvironment, seedPracticeHome } from '../../practice/practice-home.ts';
import { startPractice } from '../../practice/start-practice.ts';
import type { CommandInput } from '../command-spec.ts';
import { followRun } from '../follow-run.ts';

// The same distance from src/cli/command and from dist/cli/command.
const sample = fileURLToPath(new URL('../../../templates/sample', import.meta.url));

export async function run(input: CommandInput): Promise<number> {
  await findClaude(undefined, process.env);
  const folder = await realpath(await makeFolder(path.resolve('workspaces')));
  await cp(sample, folder, { recursive: true });
  await makeRepository(path.join(folder, 'repo'));
  const file = path.join(folder, 'execution_request.json');
  // Every run of the sample is an execution of its own, so it needs a name of its own.
  const request = { ...JSON.parse(await readFile(file, 'utf8')), execution_id: path.basename(folder) };
  await writeFile(file, `${JSON.stringify(request, null, 2)}\n`);
  const close = input.flag('real') ? sayReal(input) : await practise(input, folder);
  try {
    return await followRun(input, watching => runRequest({ file }, { allowRoots: [], trusted: [folder], ...watching }));
  } finally {
    await close();
  }
}

function sayReal(input: CommandInput): () => Promise<void> {
  input.note('Real Claude Code with your own account: this costs what your account costs.');
  return async () => {};
}

// From here on this process, and the agents it starts, know only the practice model.
async function practise(input: CommandInput, folder: string): Promise<() => Promise<void>> {
  const practice = await startPractice({ script: 'sample' });
  const config = path.join(folder, '.practice');
  await seedPracticeHome(config, { trusted: [] });
  for (const name of Object.keys(process.env)) if (/^(ANTHROPIC|CLAUDE)/.test(name)) delete process.env[name];
  Object.assign(process.env, practiceEnvironment(practice.url, config));
  input.note('Practice: real Claude Code in real panes, but THE MODEL IS A SCRIPT. No account, no cost.');
  return () => practice.close();
}

async function makeRepository(folder: string): Promise<void> {
  const git = async (...args: string[]) => void (await promisify(execFile)('git', args, { cwd: folder }));
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# The repository of the backend agent\n');
  await git('init', '-q');
  await git('config', 'user.name', 'Sample');
  await git('config', 'user.email', 'sample@localhost');
  await git('add', 'README.md');
  await git('commit', '-q', '-m', 'Begin');
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
