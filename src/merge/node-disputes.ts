// Nodes of several packs that share an id but not their content, as disputes. Pure.

import { createHash } from 'node:crypto';
import type { Dispute, Side } from './leaf.ts';
import { isDisputed, type NodeGroup, type NodeVersion } from './union-packs.ts';

export function nodeDisputes(groups: NodeGroup[]): Omit<Dispute, 'id'>[] {
  return groups.filter(isDisputed).map(({ id, versions }) => ({
    kind: 'ctxpack_node',
    path: id,
    target: '',
    shape: false,
    reason: 'packs give this node different content',
    base: null,
    sides: versions.map(toSide),
  }));
}

function toSide({ agent, file, node }: NodeVersion): Side {
  const body = Buffer.from(`${JSON.stringify(node, null, 2)}\n`);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { agent, source: file, sha256, bytes: body.length, executable: false, body, kind: 'node', leaf: null, node };
}
