// Whether there is room to start another agent. Agents that meet a full disk lose work in odd ways.

import { statfs } from 'node:fs/promises';

const DEFAULT_MB = 2048;

export async function diskComplaint(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const wanted = Number(environment.BATON_MIN_FREE_MB || DEFAULT_MB);
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / (1024 * 1024));
  if (freeMb >= wanted) return null;
  return `only ${freeMb} MB are free at ${folder}, ${wanted} MB are needed to start an agent; make room`;
}
