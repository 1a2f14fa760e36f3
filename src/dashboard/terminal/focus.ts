// Tells other processes of the user that somebody looks at the dashboard just now: a file named after this
// process in <runtime>/dashboard-focus/, there while the terminal has the focus. src/notices stays quiet while
// one of these is there and its process lives. A terminal that does not tell about focus counts as looked at.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureRuntimeFolder } from '../../tmux/runtime.ts';

export function keepFocus() {
  const folder = path.join(ensureRuntimeFolder(), 'dashboard-focus');
  const file = path.join(folder, String(process.pid));
  const set = (is: boolean): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (is) writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
      else rmSync(file, { force: true });
    } catch {
      // A notice too many is no reason to end.
    }
  };
  set(true);
  return { set, close: () => set(false) };
}
