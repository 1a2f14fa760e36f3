// Which processes exist, whose children they are and when they started. A pid alone proves nothing:
// numbers are used again, so every process is known by pid and start time together.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export type ProcessFact = { pid: number; parent: number; start: string; rssKb: number; isZombie: boolean };
export type ProcessTable = Map<number, ProcessFact>;

const isLinux = process.platform === 'linux';
const PAGE_KB = 4;

export function readProcesses(): ProcessTable {
  const facts = isLinux ? readdirSync('/proc').filter(isPid).flatMap(readOne) : readWithPs();
  return new Map(facts.map(fact => [fact.pid, fact]));
}

export function readProcess(pid: number): ProcessFact | null {
  if (isLinux) return readOne(String(pid))[0] ?? null;
  return readWithPs().find(fact => fact.pid === pid) ?? null;
}

// Procfs answers from memory: a synchronous read of it is cheaper than a trip to the thread pool.
function readOne(pid: string): ProcessFact[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [
      {
        pid: Number(pid),
        parent: Number(fields[1]),
        start: fields[19]!,
        rssKb: Number(fields[21]) * PAGE_KB,
        isZombie: fields[0] === 'Z' || fields[0] === 'X',
      },
    ];
  } catch {
    return []; // it ended while we looked
  }
}

function readWithPs(): ProcessFact[] {
  const text = execFileSync('ps', ['-axo', 'pid=,ppid=,rss=,stat=,lstart='], { encoding: 'utf8', timeout: 10_000 });
  return text.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
    if (!match) return [];
    const [, pid, parent, rss, stat, start] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        rssKb: Number(rss),
        isZombie: stat!.startsWith('Z'),
        start: start!.trim(),
      },
    ];
  });
}

// Processes that left their tree (daemons) still carry the environment they were started with. Who their
// parent is now proves nothing: a login session adopts orphans before process 1 does.
export function carriersOf(table: ProcessTable, variable: string): ProcessFact[] {
  const index = carriers.get(table) ?? indexCarriers(table);
  carriers.set(table, index);
  return index.get(variable) ?? [];
}

const carriers = new WeakMap<ProcessTable, Map<string, ProcessFact[]>>();
const KERNEL = 2; // parent of all kernel threads
const MARKS = ['BATON_TASK_FILE=', 'BATON_RAW_LOG=', 'BATON_CHECK='];

function indexCarriers(table: ProcessTable): Map<string, ProcessFact[]> {
  const index = new Map<string, ProcessFact[]>();
  for (const fact of isLinux ? table.values() : []) {
    if (fact.isZombie || fact.parent === KERNEL || fact.pid === process.pid) continue;
    for (const variable of marksOf(fact.pid)) index.set(variable, [...(index.get(variable) ?? []), fact]);
  }
  return index;
}

function marksOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return text.split('\0').filter(variable => MARKS.some(mark => variable.startsWith(mark)));
  } catch {
    return []; // ended, or not ours to read
  }
}

const isPid = (name: string): boolean => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57;

export function descendants(table: ProcessTable, roots: readonly number[]): ProcessFact[] {
  const children = childrenIn(table);
  const found: ProcessFact[] = [];
  const queue = [...roots];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      queue.push(child.pid);
    }
  }
  return found;
}

// One look serves many trees, so the index of a table is made once.
const indexes = new WeakMap<ProcessTable, Map<number, ProcessFact[]>>();

function childrenIn(table: ProcessTable): Map<number, ProcessFact[]> {
  const index = indexes.get(table) ?? Map.groupBy(table.values(), fact => fact.parent);
  indexes.set(table, index);
  return index;
}

// Many attempts that end together share one look.
let recent: { at: number; table: ProcessTable } | null = null;

export function recentProcesses(maxAgeMs: number): ProcessTable {
  const now = performance.now();
  if (recent === null || now - recent.at > maxAgeMs) recent = { at: now, table: readProcesses() };
  return recent.table;
}
