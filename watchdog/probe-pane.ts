// Is this pane really gone? A probe that failed proves nothing: only a server that answers and does not have it,
// or no server at all on that socket, does.

import type { PaneIdentity } from '../src/tmux/pane-door.ts';
import { runTmux } from '../src/tmux/run-tmux.ts';

export async function isPaneGone({ socket, pane, pid }: PaneIdentity): Promise<boolean> {
  const args = ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid} #{pane_dead}'];
  const answer = await runTmux({ socket, args }).catch(() => null);
  if (answer === null) return false;
  if (!answer.ok) return /no server running|No such file|no current target/.test(answer.stderr);
  return !answer.stdout.split('\n').includes(`${pane} ${pid} 0`);
}
