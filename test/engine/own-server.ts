// HOME, runtime and state folder of one test file, and what is left of them at its end.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

export type OwnServer = { folder: string; socket: string; end(): Promise<string[]> };

export function openOwnServer(): OwnServer {
  const folder = mkdtempSync('/tmp/bs-');
  for (const [variable, name] of [
    ['HOME', 'home'],
    ['BATON_RUNTIME_DIR', 'run'],
    ['BATON_STATE_DIR', 'state'],
  ] as const) {
    mkdirSync(path.join(folder, name), { mode: 0o700 });
    process.env[variable] = path.join(folder, name);
  }
  const socket = path.join(folder, 'run', 'tmux.sock');
  return { folder, socket, end: () => endServer(folder, socket) };
}

// Answers with everything that should not be there: sessions, sockets, listeners, the server itself.
async function endServer(folder: string, socket: string): Promise<string[]> {
  const traces: string[] = [];
  const pid = ask(socket, ['display-message', '-p', '#{pid}']);
  if (pid !== null) {
    for (const session of (ask(socket, ['list-sessions', '-F', '#{session_name}']) ?? '').split('\n').filter(Boolean))
      traces.push(`tmux session ${session}`);
    ask(socket, ['kill-server']);
    for (let look = 0; look < 100 && existsSync(`/proc/${pid}`); look++)
      await new Promise(resolve => setTimeout(resolve, 50));
    if (existsSync(`/proc/${pid}`)) traces.push(`tmux server ${pid}`);
    rmSync(socket, { force: true }); // tmux leaves the file
  }
  traces.push(
    ...filesIn(path.join(folder, 'run'))
      .filter(name => name.endsWith('.sock'))
      .map(name => `socket ${name}`),
  );
  const listeners = readFileSync('/proc/net/unix', 'utf8').split('\n');
  traces.push(...listeners.filter(line => line.includes(`${folder}/`)).map(line => `listener ${line}`));
  rmSync(folder, { recursive: true, force: true });
  return traces;
}

export function ask(socket: string, args: string[]): string | null {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 } as const;
    return execFileSync('tmux', ['-S', socket, ...args], options).trim();
  } catch {
    return null; // no server
  }
}

const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
