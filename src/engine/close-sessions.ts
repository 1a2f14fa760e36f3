// Closes tmux sessions, many with one call: whoever asks within a moment shares it.

import type { Tmux } from '../tmux/tmux.ts';

const GATHER_MS = 15;

export function sessionCloser(tmux: Tmux): (session: string) => Promise<void> {
  let gathered: string[] = [];
  let closing: Promise<void> | null = null;
  return session => {
    gathered.push(session);
    closing ??= new Promise<void>((resolve, reject) => {
      setTimeout(() => {
        const sessions = gathered;
        gathered = [];
        closing = null;
        tmux.closeSessions(sessions).then(resolve, reject);
      }, GATHER_MS);
    });
    return closing;
  };
}
