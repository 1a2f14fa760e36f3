// A Baton process that dies between its paste and the Enter: half-typed.ts SOCKET PANE PID RUNTIME TEXT

import { withPane } from '../../src/claude/pane-lock.ts';
import { openPane } from '../../src/tmux/pane-door.ts';

const [socket, pane, pid, folder, text] = process.argv.slice(2) as [string, string, string, string, string];
const identity = { socket, pane, pid: Number(pid) };
await withPane(folder, identity, { what: 'one that dies', waitMs: 0 }, async () => {
  const door = openPane(identity);
  await (text.startsWith('/') ? door.type(text) : door.paste(text));
  process.kill(process.pid, 'SIGKILL');
});
