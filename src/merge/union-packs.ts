// Several ctxpacks become one: nodes by id, edges united. Pure.

import type { CtxEdge, CtxNode, CtxPack } from '../protocol/ctxpack.ts';

export type PackSource = { agent: string; file: string; pack: CtxPack };
export type NodeVersion = { agent: string; file: string; node: CtxNode };
export type NodeGroup = { id: string; versions: NodeVersion[] };

export function groupNodes(packs: PackSource[]): NodeGroup[] {
  const groups = new Map<string, NodeGroup>();
  for (const { agent, file, pack } of packs) {
    for (const node of pack.nodes) {
      const group = groups.get(node.id) ?? { id: node.id, versions: [] };
      group.versions.push({ agent, file, node });
      groups.set(node.id, group);
    }
  }
  return [...groups.values()];
}

// Two nodes of one id say the same when type and content are equal; sources and files are only united.
export const meaningOf = (node: CtxNode) => toStableJson([node.type, node.content]);

export const isDisputed = (group: NodeGroup) => new Set(group.versions.map(({ node }) => meaningOf(node))).size > 1;

// "chosen" decides; those that say the same add their sources and files.
export function joinVersions(versions: NodeVersion[], chosen: NodeVersion): CtxNode {
  const meaning = meaningOf(chosen.node);
  const equal = versions.filter(({ node }) => meaningOf(node) === meaning);
  const sources = equal.flatMap(({ agent, node }) => [node.source].flat().map(source => `${agent}: ${source}`));
  const files = equal.flatMap(({ node }) => node.files ?? []);
  return {
    id: chosen.node.id,
    type: chosen.node.type,
    content: chosen.node.content,
    source: [...new Set(sources)],
    ...(files.length > 0 ? { files: [...new Set(files)] } : {}),
  };
}

export function uniteEdges(packs: PackSource[]): CtxEdge[] {
  const edges = new Map<string, CtxEdge>();
  for (const edge of packs.flatMap(({ pack }) => pack.edges)) {
    const key = JSON.stringify([edge.from, edge.relation, edge.to]);
    if (!edges.has(key)) edges.set(key, edge);
  }
  return [...edges.values()];
}

// JSON with sorted keys: equal values give equal text.
export function toStableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
