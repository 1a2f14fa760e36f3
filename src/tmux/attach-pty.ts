// A read-only client of a pane's session on a terminal of its own (node-pty): whenever tmux draws there, the pane
// moved. What it shows is captured by the caller; nothing is typed and no size is changed.

import { createRequire } from 'node:module';

// Its own types name another package: ours is the same code with binaries (see package.json).
type Pty = { onData(listener: (text: string) => void): void; kill(signal?: string): void };
type NodePty = { spawn(file: string, args: string[], options: Record<string, unknown>): Pty };

const FIRST = { cols: 200, rows: 50 };

export function watchScreen(socket: string, pane: string, moved: () => void): () => void {
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
  const args = ['-S', socket, '-u', 'attach-session', '-f', 'read-only,ignore-size', '-t', pane];
  let isOver = false;
  let stop = () => {};
  try {
    const { spawn } = createRequire(import.meta.url)('node-pty') as NodePty;
    const client = spawn('tmux', args, { ...FIRST, name: 'xterm-256color', env: { ...env, TERM: 'xterm-256color' } });
    client.onData(() => {
      if (!isOver) moved();
    });
    stop = () => {
      try {
        client.kill('SIGHUP');
      } catch {
        // It ended by itself, with its session.
      }
    };
  } catch {
    // Without it the view is as of the last change of the status; tmux may be gone.
  }
  return () => {
    isOver = true;
    stop();
  };
}
