// The watchdog's alerts as notices. It has no terminal; and of commands it runs only the one in the user's own
// baton.json: that of a project may be written by the very agent it watches.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { desktopWay } from '../src/notices/desktop.ts';
import { shortBody } from '../src/notices/notice.ts';
import { type Notices, openNotices } from '../src/notices/open-notices.ts';
import { findNotify } from '../src/project/find-notify.ts';
import { runtimeFolder } from '../src/tmux/runtime.ts';

export type AlertNotices = { tell(key: string, text: string): void; close(): Promise<void> };

export async function openAlertNotices(say: (line: string) => void): Promise<AlertNotices> {
  const { env, platform } = process;
  if (env.BATON_NOTICES === 'off') return { tell: () => {}, close: async () => {} };
  const has = (program: string) =>
    (env.PATH ?? '').split(':').some(folder => folder !== '' && existsSync(path.join(folder, program)));
  const desktop = desktopWay({ env, platform, isTerminal: false, has });
  const notify = await findNotify(null, env).catch(error => {
    say(`no command for notices: ${error.message}`);
    return null;
  });
  const focusFolder = path.join(runtimeFolder(), 'dashboard-focus');
  const notices: Notices = openNotices({
    terminal: null,
    desktop,
    command: notify?.argv ?? null,
    focusFolder,
    trouble: say,
  });
  return {
    tell(key, text) {
      // The text is part of it: a pane may stand before the same thing again another day.
      const sum = createHash('sha256').update(text).digest('hex').slice(0, 16);
      notices.tell({
        kind: 'alert',
        key: `watchdog\0${key}\0${sum}`,
        execution: null,
        agent: null,
        title: 'the watchdog needs you',
        body: shortBody(text),
        command: 'baton watchdog status',
        at: new Date().toISOString(),
      });
    },
    close: () => notices.close(),
  };
}
