// What a verdict means for merged/, for the integrated pack, and for those who did not win. Pure.

import { createHash } from 'node:crypto';
import { CtxNode } from '../protocol/ctxpack.ts';
import { type Entry, type Resolved, type Side, versionOf } from './leaf.ts';
import { joinVersions, meaningOf, type NodeGroup } from './union-packs.ts';

export function verdictEntries({ dispute, verdict: { keeps } }: Resolved): Entry[] {
  const { path, target } = dispute;
  if ('agent' in keeps) {
    const chosen = dispute.sides.flatMap(side => (side.agent === keeps.agent && side.leaf ? [side.leaf] : []));
    return chosen.map(leaf => ({ ...pick(leaf), path: leaf.at, target, from: leaf, body: null }));
  }
  const { body, executable } = keeps;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return [{ path, target, kind: 'file', executable, sha256, from: null, body }];
}

const pick = ({ kind, executable, sha256 }: Pick<Entry, 'kind' | 'executable' | 'sha256'>) => ({
  kind,
  executable,
  sha256,
});

export function verdictNode({ verdict: { keeps } }: Resolved, group: NodeGroup): CtxNode {
  if ('body' in keeps) return CtxNode.parse(JSON.parse(String(keeps.body)));
  return joinVersions(group.versions, group.versions.find(version => version.agent === keeps.agent)!);
}

// The sides whose version the verdict left out. A union leaves out none.
export function discardedSides(resolved: Resolved): Side[] {
  const { dispute, verdict } = resolved;
  if (verdict.chosen === 'merged') return [];
  if (dispute.kind === 'file') {
    const stands = new Set(verdictEntries(resolved).map(entry => `${entry.path}\0${versionOf(entry)}`));
    return dispute.sides.filter(side => !stands.has(`${side.leaf!.at}\0${versionOf(side)}`));
  }
  const { keeps } = verdict;
  const chosen = 'agent' in keeps ? dispute.sides.find(side => side.agent === keeps.agent)!.node! : null;
  const meaning = meaningOf(chosen ?? CtxNode.parse(JSON.parse(String('body' in keeps ? keeps.body : ''))));
  return dispute.sides.filter(side => meaningOf(side.node!) !== meaning);
}
