// Peak memory of process trees, by sampling. A tree that ended before it was seen has no peak: unknown.

import { readFileSync } from 'node:fs';
import { descendants, readProcesses } from './process-table.ts';

// Young trees are looked at soon and often, old ones every two seconds.
const SCHEDULE_MS = [60, 150, 400, 1000];
const STEADY_MS = 2000;

export type MemoryWatch = { add(key: string, pid: number): void; take(key: string): number | null; stop(): void };

export function watchMemory(): MemoryWatch {
  const trees = new Map<string, { pid: number; peakKb: number | null; looks: number }>();
  let timer: NodeJS.Timeout | null = null;

  function look(): void {
    timer = null;
    const table = readProcesses();
    for (const tree of trees.values()) {
      const top = table.get(tree.pid);
      const family = top ? [top, ...descendants(table, [tree.pid])] : [];
      const sumKb = family.reduce((sum, fact) => sum + fact.rssKb, 0);
      if (sumKb > 0) tree.peakKb = Math.max(tree.peakKb ?? 0, sumKb);
      tree.looks++;
    }
    plan();
  }

  function plan(): void {
    if (timer || trees.size === 0) return;
    const waits = [...trees.values()].map(tree => SCHEDULE_MS[tree.looks] ?? STEADY_MS);
    timer = setTimeout(look, Math.min(...waits));
    timer.unref();
  }

  return {
    add(key, pid) {
      trees.set(key, { pid, peakKb: ownMemory(pid), looks: 0 });
      plan();
    },
    take(key) {
      const peakKb = trees.get(key)?.peakKb ?? null;
      trees.delete(key);
      return peakKb === null ? null : Math.round((peakKb / 1024) * 10) / 10;
    },
    stop() {
      if (timer) clearTimeout(timer);
      trees.clear();
    },
  };
}

// The launcher alone, so that even the shortest attempt has an honest lower bound.
function ownMemory(pid: number): number | null {
  try {
    const match = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}
