// Runs one hook of the project as `git commit` would, within a limit. A hook that is not there agrees.

import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { CannotTake } from './cannot-take.ts';
import { type GitAnswer, runGit, saidBy } from './run-git.ts';

export type HookCall = { cwd: string; name: string; args?: string[]; env: Record<string, string>; limitMs: number };

export async function runHook(call: HookCall): Promise<void> {
  const answer = await start(call);
  if (answer.ok) return;
  const what = answer.timedOut
    ? `did not end within ${Math.round(call.limitMs / 100) / 10} s`
    : `refused: ${saidBy(answer)}`;
  throw new CannotTake(`the ${call.name} hook ${what}`);
}

async function start({ cwd, name, args = [], env, limitMs }: HookCall): Promise<GitAnswer> {
  const shared = { cwd, env: { ...env, GIT_EDITOR: ':' }, limitMs, asProject: true };
  const answer = await runGit({ ...shared, args: ['hook', 'run', '--ignore-missing', name, '--', ...args] });
  const isOldGit = !answer.ok && /^git: 'hook' /m.test(answer.stderr);
  return isOldGit ? startByPath({ cwd, name, args, env: shared.env, limitMs }) : answer;
}

// Git before 2.36 has no `git hook`. An alias with `!` is its own way to run a program from the top folder.
async function startByPath({ cwd, name, args = [], env, limitMs }: HookCall): Promise<GitAnswer> {
  const found = await runGit({ cwd, args: ['rev-parse', '--git-path', `hooks/${name}`], asProject: true });
  const file = path.resolve(cwd, found.stdout.toString('utf8').trimEnd());
  const isRunnable = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!found.ok || !isRunnable) return { ...found, ok: true };
  const alias = `alias.baton-hook=!"$BATON_HOOK"`;
  const withHook = { ...env, BATON_HOOK: file };
  return runGit({ cwd, env: withHook, limitMs, asProject: true, args: ['-c', alias, 'baton-hook', ...args] });
}
