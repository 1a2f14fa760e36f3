// Everything that will stand in merged/, once nothing is in dispute. Pure.

import type { CtxPack } from '../protocol/ctxpack.ts';
import { verdictEntries, verdictNode } from './apply-verdict.ts';
import { checkLinks } from './check-links.ts';
import type { Entry, Resolved } from './leaf.ts';
import { MergeStop } from './merge-stop.ts';
import { joinVersions, type NodeGroup, type PackSource, uniteEdges } from './union-packs.ts';

export function planEntries(settled: Entry[], resolved: Resolved[]): Entry[] {
  const entries = [...settled, ...resolved.filter(one => one.dispute.kind === 'file').flatMap(verdictEntries)];
  // A link that was safe in its own tree may lead elsewhere in the united one.
  for (const [target, own] of Map.groupBy(entries, entry => entry.target)) {
    const links = own.filter(entry => entry.kind === 'link');
    const below = links.map(entry => [entry.path.slice(target.length + 1), String(entry.from!.body)] as const);
    const [problem] = checkLinks(new Map(below));
    if (problem) throw new MergeStop(`in the merged tree the link ${target}/${problem.path} ${problem.problem}`);
  }
  return entries;
}

type Parts = { title: string; sources: PackSource[]; nodes: NodeGroup[]; resolved: Resolved[] };

export function planPack({ title, sources, nodes, resolved }: Parts): CtxPack | null {
  if (sources.length === 0) return null;
  const verdicts = new Map(
    resolved.filter(one => one.dispute.kind === 'ctxpack_node').map(one => [one.dispute.path, one]),
  );
  const joined = nodes.map(group => {
    const verdict = verdicts.get(group.id);
    return verdict ? verdictNode(verdict, group) : joinVersions(group.versions, group.versions[0]!);
  });
  return { ctxpack: 1, title, nodes: joined, edges: uniteEdges(sources) };
}
