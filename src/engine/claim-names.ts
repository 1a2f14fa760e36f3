// Session names for attempts about to begin. Several engines share one tmux server, and agents of different
// executions often have the same name: a name is claimed by a file until its session stands in tmux.

import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { sessionName } from '../run/workspace-places.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';

// A session stands within seconds of its claim; an older claim was left by an engine that was killed.
const STALE_MS = 60_000;

export type Claims = { names: string[]; release(): void };

export async function claimNames(
  agents: readonly string[],
  startedAt: string,
  known: { past: ReadonlySet<string>; listSessions(): Promise<Set<string>> },
): Promise<Claims> {
  const folder = path.join(ensureRuntimeFolder(), 'names');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweep(folder);
  const taken = new Set(known.past);
  const claimed = new Map<number, string>();
  while (claimed.size < agents.length) {
    for (const [index, agent] of agents.entries()) {
      if (claimed.has(index)) continue;
      const name = sessionName(agent, startedAt, candidate => taken.has(candidate) || !claim(folder, candidate));
      taken.add(name);
      claimed.set(index, name);
    }
    // Looked at after the claim: whoever had the name before us has shown it in tmux by now.
    const there = await known.listSessions();
    for (const [index, name] of claimed) {
      if (!there.has(name)) continue;
      rmSync(path.join(folder, name), { force: true });
      claimed.delete(index);
    }
  }
  return {
    names: agents.map((_, index) => claimed.get(index)!),
    release: () => {
      for (const name of claimed.values()) rmSync(path.join(folder, name), { force: true });
    },
  };
}

function claim(folder: string, name: string): boolean {
  try {
    closeSync(openSync(path.join(folder, name), 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return false;
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS) rmSync(file, { force: true });
  }
}
