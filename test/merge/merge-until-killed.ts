// A merge that kills itself with SIGKILL before its n-th change of the disk: node merge-until-killed.ts INPUT N.
// When there are fewer changes than that, it ends by itself and prints their number.

import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [input, limit] = process.argv.slice(2);
let changes = 0;

function count(): void {
  changes += 1;
  if (changes === Number(limit)) process.kill(process.pid, 'SIGKILL');
}

// Told before it happens, so that every state between two changes is left behind once.
function counted<T extends object, K extends keyof T>(owner: T, name: K, isChange: (args: unknown[]) => boolean): void {
  const real = owner[name] as (...args: unknown[]) => unknown;
  owner[name] = function (this: unknown, ...args: unknown[]) {
    if (isChange(args)) count();
    return real.apply(this, args);
  } as T[K];
}

const always = () => true;
for (const name of ['rename', 'mkdir', 'mkdtemp', 'rm', 'symlink', 'writeFile'] as const) counted(fs, name, always);
counted(fs, 'open', ([, flags]) => flags === 'wx');
const handle = await fs.open(import.meta.filename, 'r');
counted(Object.getPrototypeOf(handle) as typeof handle, 'writeFile', always);
await handle.close();
syncBuiltinESMExports();

const { runMerge } = await import('../../src/merge/merge-runner.ts');
const { past, ...rest } = JSON.parse(input!);
const baseFromCheckpoint = async (file: string) => (past[file] === undefined ? null : Buffer.from(past[file]));
await runMerge({ ...rest, baseFromCheckpoint });
console.log(changes);
