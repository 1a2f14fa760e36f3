// Whether somebody looks at a dashboard just now: each writes a file named after its process while its terminal has
// the focus, and shows whoever needs a person by itself. One that was killed looks at nothing.

import { readdirSync } from 'node:fs';

export function isLookedAt(folder: string): boolean {
  try {
    return readdirSync(folder).some(name => /^\d{1,9}$/.test(name) && isAlive(Number(name)));
  } catch {
    return false; // no dashboard was ever open
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
