// A change of refs that is first prepared (locked, agreed to by the project's hook) and then made or given up.
// If we die in between, git sees the end of its input and gives it up by itself.

import { once } from 'node:events';
import { CannotTake, MovedAway } from './cannot-take.ts';
import { startGit, tellingLine } from './run-git.ts';

export type RefChange = { ref: string; to: string; from: string };
export type Prepared = { make(): Promise<void>; giveUp(): Promise<void> };
export type RefPlan = { cwd: string; note: string; changes: RefChange[]; limitMs: number };

export async function prepareRefs({ cwd, note, changes, limitMs }: RefPlan): Promise<Prepared> {
  const { child, end } = startGit({
    cwd,
    args: ['update-ref', '-m', note, '--stdin'],
    env: { LC_ALL: 'C' },
    asProject: true,
  });
  let said = '';
  let complaint = '';
  let isTooLate = false;
  child.stdout!.on('data', chunk => {
    said += chunk;
  });
  child.stderr!.on('data', chunk => {
    complaint += chunk;
  });
  const closed = once(child, 'close');
  closed.catch(() => {});
  const timer = setTimeout(() => {
    isTooLate = true;
    void end();
  }, limitMs);
  const finish = async () => {
    child.stdin!.end();
    await closed;
    clearTimeout(timer);
  };
  const waitFor = async (words: string) => {
    while (!said.includes(words)) {
      const more = new Promise(resolve => child.stdout!.once('data', resolve));
      const isOver = await Promise.race([more.then(() => false), closed.then(() => true)]);
      if (isOver && !said.includes(words)) throw refusal(complaint, isTooLate);
    }
  };
  const lines = changes.map(({ ref, to, from }) => `update ${ref} ${to} ${from}`);
  child.stdin!.write(`${['start', ...lines, 'prepare'].join('\n')}\n`);
  try {
    await waitFor('prepare: ok');
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
  return {
    make: async () => {
      child.stdin!.write('commit\n');
      await waitFor('commit: ok').finally(finish);
    },
    giveUp: finish,
  };
}

function refusal(complaint: string, isTooLate: boolean): CannotTake {
  if (isTooLate) return new CannotTake('the branch could not be moved in time');
  const line = tellingLine(complaint) ?? 'no reason was given';
  if (/but expected|reference already exists|unable to resolve reference/.test(complaint)) return new MovedAway(line);
  return new CannotTake(`the branch could not be moved: ${line}`);
}
