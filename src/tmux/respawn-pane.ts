// A new program in a pane whose program has ended. The pane keeps its id, its session and its log.

import { tmuxQuote } from './quote.ts';
import { runTmux } from './run-tmux.ts';
import { TmuxError } from './tmux.ts';

export async function respawnPane(
  socket: string,
  pane: string,
  o: { argv: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<number> {
  const variables = Object.entries(o.env).map(([name, value]) => `-e ${tmuxQuote(`${name}=${value}`)}`);
  const words = o.argv.map(tmuxQuote).join(' ');
  const script = `respawn-pane -k -t ${pane} ${variables.join(' ')} -- ${words} ; display-message -p -t ${pane} "pid #{pane_pid}"\n`;
  const { stdout, stderr } = await runTmux({ socket, args: ['source-file', '-'], input: script });
  const pid = /^pid (\d+)$/m.exec(stdout)?.[1];
  if (pid === undefined) throw new TmuxError('respawn-pane', stderr);
  return Number(pid);
}
