// Where Baton keeps what outlives a run: one folder per user.

import { homedir } from 'node:os';
import path from 'node:path';

export function stateFolder(): string {
  if (process.env.BATON_STATE_DIR) return path.resolve(process.env.BATON_STATE_DIR);
  return path.join(process.env.XDG_STATE_HOME || path.join(homedir(), '.local', 'state'), 'baton');
}
