// A process that tells notices, as engine and watchdog do: argv is a JSON list of events, or of texts of the watchdog.
// It ends when all is told.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { desktopWay } from '../../dist/notices/desktop.js';
import { noticeOf } from '../../dist/notices/notice.js';
import { openNotices } from '../../dist/notices/open-notices.js';

const { env, platform, stdout, argv } = process;
const { events, workspace, command = null, waitMs = 300, restMs = 0 } = JSON.parse(argv[2]);
const has = program => env.PATH.split(':').some(folder => existsSync(path.join(folder, program)));
const notices = openNotices({
  terminal: stdout.isTTY ? stdout : null,
  desktop: desktopWay({ env, platform, isTerminal: stdout.isTTY === true, has }),
  command,
  focusFolder: path.join(env.BATON_RUNTIME_DIR, 'dashboard-focus'),
  trouble: message => process.stderr.write(`${message}\n`),
  waitMs,
});
for (const event of events) notices.tell(noticeOf(event, { execution: 'exec-1', workspace }));
await new Promise(resolve => setTimeout(resolve, waitMs + 200 + restMs));
await notices.close();
