// What an engine cannot do without, looked for before anything is touched: a run that finds out later
// leaves half an execution behind. Which version a program has is a question for `baton doctor`.

import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../protocol/fault.ts';
import { refuseLongFolder } from '../tmux/runtime.ts';

const NEEDED = ['tmux', 'git'];

export async function needMachine(pathVariable = process.env.PATH ?? ''): Promise<void> {
  refuseLongFolder();
  const found = await Promise.all(NEEDED.map(name => isOnPath(name, pathVariable)));
  const missing = NEEDED.filter((_, at) => !found[at]);
  if (missing.length === 0) return;
  const are = missing.length === 1 ? 'is' : 'are';
  throw new Fault('missing', `${missing.join(' and ')} ${are} not installed`, installLine(missing));
}

export const installLine = (names: readonly string[], platform: string = process.platform): string =>
  platform === 'darwin' ? `brew install ${names.join(' ')}` : `sudo apt-get install -y ${names.join(' ')}`;

async function isOnPath(name: string, pathVariable: string): Promise<boolean> {
  for (const folder of pathVariable.split(path.delimiter)) {
    const isHere = await access(path.resolve(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isHere) return true;
  }
  return false;
}
