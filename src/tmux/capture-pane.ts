// What a pane shows right now, with escapes, for reading only. Nothing is sent to the pane.

import { Fault } from '../protocol/fault.ts';
import { runTmux } from './run-tmux.ts';

export type PaneCapture = {
  text: string;
  width: number;
  height: number;
  isInMode: boolean; // copy mode and its kin: keys do not reach the program
  isDead: boolean;
};

const FORMAT = '#{pane_width} #{pane_height} #{pane_in_mode} #{pane_dead}';

export async function capturePane(socket: string, pane: string): Promise<PaneCapture> {
  const args = ['display-message', '-p', '-t', pane, FORMAT, ';', 'capture-pane', '-p', '-e', '-t', pane];
  const { ok, stdout, stderr } = await runTmux({ socket, args });
  const end = stdout.indexOf('\n');
  const [width, height, mode, dead] = stdout.slice(0, Math.max(0, end)).split(' ').map(Number);
  if (!ok || !width || !height) {
    throw new Fault(
      'invalid',
      `there is no pane ${pane} on the tmux server at ${socket}${stderr.trim() ? ` (${stderr.trim()})` : ''}`,
      'see `tmux list-panes -a`; --socket names the server of another tmux',
    );
  }
  return { text: stdout.slice(end + 1), width, height, isInMode: mode !== 0, isDead: dead !== 0 };
}
