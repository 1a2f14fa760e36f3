// Ends a process tree: TERM, wait, KILL, and looks again until nothing of it is left. Touches nothing
// whose pid and start time it has not just seen to belong to the tree.

import {
  carriesVariable,
  descendants,
  type ProcessFact,
  type ProcessTable,
  readProcess,
  readProcesses,
} from './process-table.ts';

export type TreeRoot = {
  pid: number;
  start: string; // of that pid, as first seen; another start is another process
  marks: readonly string[]; // NAME=value pairs that every process of the tree was started with
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

// Everything still alive of this tree: children of the root, and runaways that carry all its marks.
export function membersOf(root: TreeRoot, table: ProcessTable): ProcessFact[] {
  const top = table.get(root.pid);
  const isSame = top !== undefined && top.start === root.start;
  const family = isSame ? [top, ...descendants(table, [root.pid])] : [];
  const known = new Set(family.map(fact => fact.pid));
  const runaways = [...table.values()].filter(
    fact => fact.parent === 1 && !known.has(fact.pid) && fact.pid !== process.pid && carriesAll(fact.pid, root.marks),
  );
  const strays = descendants(
    table,
    runaways.map(fact => fact.pid),
  ).filter(fact => !known.has(fact.pid));
  return [...family, ...runaways, ...strays].filter(fact => !fact.isZombie);
}

const carriesAll = (pid: number, marks: readonly string[]): boolean =>
  marks.length > 0 && marks.every(mark => carriesVariable(pid, mark));

function send(fact: ProcessFact, signal: NodeJS.Signals): void {
  if (readProcess(fact.pid)?.start !== fact.start) return;
  try {
    process.kill(fact.pid, signal);
  } catch {
    // ended between the look and the signal
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
