// How a working tree stands, for a document: branch, last commit, what is not committed. Looks only.

import { runGit } from './run-git.ts';

export type WorkingFacts = { branch: string | null; head: string | null; changed: string[] };

// Null: no repository.
export async function workingFacts(folder: string): Promise<WorkingFacts | null> {
  const ask = async (...args: string[]) => {
    const answer = await runGit({ cwd: folder, args }).catch(() => null);
    return answer?.ok ? answer.stdout.toString('utf8').trimEnd() : null;
  };
  if ((await ask('rev-parse', '--git-dir')) === null) return null;
  const status = await ask('status', '--porcelain', '--untracked-files=normal');
  return {
    branch: await ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    head: await ask('log', '-1', '--format=%h %s'),
    changed: (status ?? '').split('\n').filter(line => line !== ''),
  };
}
