// [pane] and --socket on the command line → one pane of the user's own tmux. Reads only.

import { userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../protocol/fault.ts';
import type { PaneIdentity } from '../tmux/pane-door.ts';
import { runTmux } from '../tmux/run-tmux.ts';
import type { CommandInput } from './command-spec.ts';

export type ForeignPane = { identity: PaneIdentity; command: string; folder: string };

// Which one is meant, without a look at whether it is there.
export function namedPane(input: CommandInput): { pane: string; socket: string | null } {
  const [named] = input.args;
  const here = (process.env.TMUX ?? '').replace(/,\d+,\d+$/, '');
  const pane = named ?? process.env.TMUX_PANE ?? '';
  if (pane === '')
    throw new Fault('invalid', 'this is not a pane of tmux', 'name the pane: tmux list-panes -a shows their %N');
  if (!/^%\d+$/.test(pane)) throw new Fault('invalid', `"${pane}" is not a pane`, 'write it as %N, for example %7');
  const socket = input.text('socket');
  return { pane, socket: socket === undefined ? here || null : path.resolve(socket) };
}

// tmux's own default, as its manual gives it.
const defaultSocket = (): string => path.join(process.env.TMUX_TMPDIR || '/tmp', `tmux-${userInfo().uid}`, 'default');

const FIELDS = ['pane_id', 'pane_pid', 'pane_dead', 'pane_current_command', 'socket_path', 'pane_current_path'];

export async function findForeignPane(input: CommandInput): Promise<ForeignPane> {
  const { pane, socket } = namedPane(input);
  const at = socket ?? defaultSocket();
  const format = FIELDS.map(name => `#{${name}}`).join('\n');
  const { ok, stdout, stderr } = await runTmux({ socket: at, args: ['display-message', '-p', '-t', pane, format] });
  const [id, pid, dead, command, itsSocket, folder] = stdout.split('\n');
  if (!ok || id !== pane || dead !== '0' || !Number(pid) || !folder) {
    const why = stderr.trim() === '' ? '' : `: ${stderr.trim()}`;
    throw new Fault('invalid', `there is no living pane ${pane} on ${at}${why}`, 'tmux list-panes -a shows them');
  }
  // The server's own word for its socket: the sessions in it know it by the same.
  return { identity: { socket: itsSocket || at, pane, pid: Number(pid) }, command: command ?? '', folder };
}
