// The watchdog's own folder: made when it is not there, refused with a cure when it cannot be used.

import { accessSync, constants, mkdirSync } from 'node:fs';
import { Fault } from '../protocol/fault.ts';

export function makeStateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its place' : (cause as Error).message;
    const cure = 'make it a folder that you may write to, or name another state folder in BATON_STATE_DIR';
    throw new Fault('refused', `the watchdog cannot use its folder ${folder}: ${why}`, cure, { cause });
  }
}
