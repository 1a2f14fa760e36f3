// Ends a process tree: TERM, wait, KILL, and looks again until nothing of it is left. Touches nothing
// whose pid and start time it has not just seen to belong to the tree.

import {
  carriersOf,
  descendants,
  type ProcessFact,
  type ProcessTable,
  readProcess,
  readProcesses,
} from './process-table.ts';

export type TreeRoot = {
  pid: number;
  start: string; // of that pid, as first seen; another start is another process
  mark: string; // NAME=value that every process of the tree was started with, and no other
};

const LOOK_MS = 40;
const KILL_ROUNDS = 25;

export async function endTree(root: TreeRoot, graceMs: number): Promise<{ left: number }> {
  const until = performance.now() + graceMs;
  const asked = new Set<string>();
  for (;;) {
    const alive = membersOf(root, readProcesses());
    if (alive.length === 0) return { left: 0 };
    if (performance.now() >= until) break;
    // The launcher itself is not asked: it records the exit code and ends when the agent has.
    const others = alive.filter(fact => fact.pid !== root.pid);
    for (const fact of others.length > 0 ? others : alive) {
      const key = `${fact.pid} ${fact.start}`;
      if (!asked.has(key)) send(fact, 'SIGTERM');
      asked.add(key);
    }
    await pause(LOOK_MS);
  }
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const alive = membersOf(root, readProcesses());
    if (alive.length === 0) return { left: 0 };
    for (const fact of alive) send(fact, 'SIGKILL');
    await pause(LOOK_MS);
  }
  return { left: membersOf(root, readProcesses()).length };
}

// Everything still alive of this tree: children of the root, and runaways that carry its mark.
export function membersOf(root: TreeRoot, table: ProcessTable): ProcessFact[] {
  const top = table.get(root.pid);
  const isSame = top !== undefined && top.start === root.start;
  const family = isSame ? [top, ...descendants(table, [root.pid])] : [];
  const runaways = carriersOf(table, root.mark);
  const strays = descendants(
    table,
    runaways.map(fact => fact.pid),
  );
  const all = new Map([...family, ...runaways, ...strays].map(fact => [fact.pid, fact]));
  return [...all.values()].filter(fact => !fact.isZombie && fact.pid !== process.pid);
}

function send(fact: ProcessFact, signal: NodeJS.Signals): void {
  if (readProcess(fact.pid)?.start !== fact.start) return;
  try {
    process.kill(fact.pid, signal);
  } catch {
    // ended between the look and the signal
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
