// `baton demo`, which `npm start` runs: the sample request in a new folder below workspaces/, by real Claude
// Code sessions. What answers them is a script, unless --real asks for the user's own account.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findClaude } from '../../claude/find-claude.ts';
import { runRequest } from '../../engine/run-execution.ts';
import { practiceEnvironment, seedPracticeHome } from '../../practice/practice-home.ts';
import { startPractice } from '../../practice/start-practice.ts';
import type { Status } from '../../protocol/status.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import { askWatchdog } from '../../watching/ask-watchdog.ts';
import type { CommandInput } from '../command-spec.ts';
import { answerAlone, type Demo, showDemo } from '../demo-parts.ts';
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
    const isLooking = input.out.isTerminal && process.stdin.isTTY && !input.flag('json') && !input.flag('quiet');
    return isLooking ? await showDemo(input, { file, folder }) : await followAlone(input, { file, folder });
  } finally {
    await close();
  }
}

// In a pipe nobody can answer the question of the sample, so this does, and says so.
async function followAlone(input: CommandInput, { file, folder }: Demo): Promise<number> {
  const answer = input.flag('real') ? () => {} : answerAlone(input);
  return followRun(input, watching => {
    const onStatus = (status: Status) => {
      watching.onStatus(status);
      answer(status);
    };
    return runRequest({ file }, { allowRoots: [], trusted: [folder], ...watching, onStatus });
  });
}

function sayReal(input: CommandInput): () => Promise<void> {
  input.note('Real Claude Code with your own account: this costs what your account costs.');
  return async () => {};
}

// From here on this process, and what it starts, know only the practice model and a world of their own: tmux
// server, watchdog and state are the demo's, and are gone with it.
async function practise(input: CommandInput, folder: string): Promise<() => Promise<void>> {
  const practice = await startPractice({ script: 'sample' });
  const config = path.join(folder, '.practice');
  await seedPracticeHome(config, { trusted: [] });
  for (const name of Object.keys(process.env)) if (/^(ANTHROPIC|CLAUDE)/.test(name)) delete process.env[name];
  Object.assign(process.env, practiceEnvironment(practice.url, config));
  const runtime = process.env.BATON_RUNTIME_DIR === undefined ? await mkdtemp('/tmp/baton-demo-') : null;
  if (runtime !== null) {
    process.env.BATON_RUNTIME_DIR = runtime;
    process.env.BATON_STATE_DIR = path.join(config, 'state');
  }
  input.note('Practice: real Claude Code in real panes, but THE MODEL IS A SCRIPT. No account, no cost.');
  return async () => {
    await practice.close();
    if (runtime === null) return;
    await askWatchdog({ do: 'stop' }).catch(() => null);
    await promisify(execFile)('tmux', ['-S', tmuxSocket(), 'kill-server']).catch(() => {}); // it may be gone already
    await rm(runtime, { recursive: true, force: true });
  };
}

async function makeRepository(folder: string): Promise<void> {
  const git = async (...args: string[]) => void (await promisify(execFile)('git', args, { cwd: folder }));
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# The repository of the backend agent\n');
  // Low, so that a handoff can be seen within a minute.
  await writeFile(path.join(folder, 'baton.json'), `${JSON.stringify({ context_threshold: 60_000 }, null, 2)}\n`);
  await git('init', '-q');
  await git('config', 'user.name', 'Sample');
  await git('config', 'user.email', 'sample@localhost');
  await git('add', '.');
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
