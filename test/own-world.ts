// A world of its own for one whole test run: HOME, runtime and state folders in one short temporary
// folder. Afterwards only tmux servers whose socket lies in that folder are ended.

import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

// Not os.tmpdir(): on some machines it is so long that a socket path would not fit below it.
const SHORT = '/tmp';

export function setup(): () => void {
  const folder = mkdtempSync(path.join(SHORT, 'bt-'));
  const places = { HOME: 'home', BATON_RUNTIME_DIR: 'run', BATON_STATE_DIR: 'state' };
  for (const [variable, name] of Object.entries(places)) {
    const place = path.join(folder, name);
    mkdirSync(place, { mode: 0o700 });
    process.env[variable] = place;
  }
  process.env.BATON_WATCHDOG = 'off'; // it would outlive the run that started it
  delete process.env.TMUX;
  delete process.env.TMUX_PANE;
  return () => {
    for (const socket of socketsUnder(folder)) endServer(socket);
    rmSync(folder, { recursive: true, force: true });
  };
}

function socketsUnder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map(name => path.join(folder, name)).filter(file => lstatSync(file).isSocket());
}

function endServer(socket: string): void {
  try {
    execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
  } catch {
    // Nobody listens any more, or it is no tmux socket: nothing is left behind either way.
  }
}
