// In which order agents can run at the earliest: wave 1 needs nobody, wave n somebody of wave n-1. Agents that
// never become free (a cycle, or behind one) are told apart. Pure.

import type { Dependencies } from './graph.ts';

export type Waves = { waves: string[][]; never: string[] };

export function wavesOf(deps: Dependencies): Waves {
  const open = new Map([...deps].map(([name, needs]) => [name, new Set(needs.filter(need => deps.has(need)))]));
  const waves: string[][] = [];
  for (;;) {
    const free = [...open].filter(([, needs]) => needs.size === 0).map(([name]) => name);
    if (free.length === 0) return { waves, never: [...open.keys()] };
    waves.push(free);
    for (const name of free) open.delete(name);
    for (const needs of open.values()) for (const name of free) needs.delete(name);
  }
}
