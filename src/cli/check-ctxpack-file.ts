// A .ctxp file → its problems. Whether the files it speaks of exist is not asked: only an execution
// knows the workspace they are in.

import { readRegular } from '../files/read-file.ts';
import { checkConsistency, readCtxPack } from '../merge/check-ctxpack.ts';
import { Fault } from '../protocol/fault.ts';
import type { Finding } from '../protocol/report.ts';

export async function checkCtxPackFile(file: string): Promise<{ nodes: number; edges: number; findings: Finding[] }> {
  const { pack, findings } = readCtxPack(await readBytes(file), file);
  if (pack === null) return { nodes: 0, edges: 0, findings };
  return {
    nodes: pack.nodes.length,
    edges: pack.edges.length,
    findings: [...findings, ...checkConsistency(pack, () => true)],
  };
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readRegular(file, { follow: true });
  } catch (cause) {
    throw new Fault('invalid', `"${file}" cannot be read: ${(cause as Error).message}`, 'name a .ctxp file', { cause });
  }
}
