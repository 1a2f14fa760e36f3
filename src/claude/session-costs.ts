// What an agent has cost over all its sessions. Claude Code counts anew after /clear, and a new process may too, so
// what is gone is added up here, in a file beside its record.

import { readFile } from 'node:fs/promises';
import { writeJson } from '../files/write-file.ts';

export type Costs = Record<string, { before: number; last: number }>; // by session id
export type CostRecord = { session_id: string | null; cost_usd: number | null };

export function addCost(costs: Costs, record: CostRecord | null): Costs {
  if (record === null || record.session_id === null || record.cost_usd === null) return costs;
  const known = costs[record.session_id] ?? { before: 0, last: 0 };
  if (record.session_id in costs && known.last === record.cost_usd) return costs;
  const before = record.cost_usd < known.last ? known.before + known.last : known.before;
  return { ...costs, [record.session_id]: { before, last: record.cost_usd } };
}

// Null: nothing was told yet.
export function totalCost(costs: Costs): number | null {
  const all = Object.values(costs);
  return all.length === 0 ? null : all.reduce((sum, { before, last }) => sum + before + last, 0);
}

export async function readCosts(file: string): Promise<Costs> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Costs; // our own, written whole
  } catch {
    return {};
  }
}

export async function keepCosts(file: string, costs: Costs, record: CostRecord | null): Promise<Costs> {
  const next = addCost(costs, record);
  if (next !== costs) await writeJson(file, next, { mode: 0o600, sync: false });
  return next;
}
