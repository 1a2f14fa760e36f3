// While a person is attached, an agent's window is as large as their terminal: Claude Code asks at the bottom of its
// screen, which a smaller terminal would not show. When they leave, however they leave, tmux itself makes it again
// what agents have: resizing by hand also ends the fitting.

import { Fault } from '../protocol/fault.ts';
import { runTmux } from './run-tmux.ts';
import { COLUMNS, ROWS } from './tmux-cli.ts';

export async function fitToClients(socket: string, session: string): Promise<void> {
  const window = `${session}:`;
  const back = `resize-window -t "${window}" -x ${COLUMNS} -y ${ROWS}`;
  const args = ['set-hook', '-t', window, 'client-detached', back, ';', 'set-option', '-w', '-t', window];
  const { ok, stderr } = await runTmux({ socket, args: [...args, 'window-size', 'latest'] });
  if (!ok) throw new Fault('failure', `tmux could not prepare the session: ${stderr.trim()}`, 'try again');
}
