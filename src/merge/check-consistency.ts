// Does a valid pack make sense: edges that hang, relations that contradict or run in circles,
// files that do not exist. Pure: whether a file exists is told from outside.

import type { CtxEdge, CtxPack } from '../protocol/ctxpack.ts';
import type { Finding } from '../protocol/report.ts';
import { capped } from './capped.ts';
import { findCycles } from './find-cycles.ts';
import { acyclic, against, inverses, opposites, symmetric } from './relations.ts';

export function checkConsistency(pack: CtxPack, fileExists: (path: string) => boolean): Finding[] {
  const edges = pack.edges.map(straighten);
  const kinds = [findDangling(pack), findContradictions(edges), findCircles(edges), findMissing(pack, fileExists)];
  return kinds.flatMap(capFindings);
}

// A longer circle is shown by its first names and its last.
const SHOWN_NAMES = 12;

type About = { message: string; source: string };

function capFindings(found: About[]): Finding[] {
  return capped(found.map(about => about.message)).map((message, i) => {
    return { check: 'semantic_consistency', severity: 'error', message, source: found[i]?.source ?? null };
  });
}

const show = (edge: CtxEdge) => `"${edge.from}" ${edge.relation} "${edge.to}"`;

function straighten(edge: CtxEdge): CtxEdge {
  const relation = Object.hasOwn(inverses, edge.relation) ? inverses[edge.relation] : undefined;
  return relation === undefined ? edge : { from: edge.to, to: edge.from, relation };
}

function findDangling(pack: CtxPack): About[] {
  const ids = new Set(pack.nodes.map(node => node.id));
  return pack.edges.flatMap(edge => {
    const missing = [...new Set([edge.from, edge.to])].filter(id => !ids.has(id));
    return missing.map(id => ({ message: `the edge ${show(edge)} hangs: no node has the id "${id}"`, source: id }));
  });
}

function findContradictions(edges: CtxEdge[]): About[] {
  const said = new Set<string>();
  const key = (from: string, relation: string, to: string) => JSON.stringify([from, relation, to]);
  for (const { from, relation, to } of edges) {
    said.add(key(from, relation, to));
    if (symmetric.has(relation)) said.add(key(to, relation, from));
  }
  const found: About[] = [];
  for (const edge of edges) {
    const { from, relation, to } = edge;
    if (from === to && against.has(relation)) {
      found.push({ message: `${show(edge)}: a node cannot stand against itself`, source: from });
    }
    for (const [one, other] of opposites) {
      if (relation !== one || !said.has(key(from, other, to))) continue;
      found.push({ message: `${show(edge)}, yet it also ${other} it: both cannot be true`, source: from });
    }
  }
  return found;
}

function findCircles(edges: CtxEdge[]): About[] {
  return [...acyclic].flatMap(relation =>
    findCycles(edges.filter(edge => edge.relation === relation)).map(cycle => ({
      message: `"${relation}" runs in a circle: ${showCircle(cycle)}`,
      source: cycle[0]!,
    })),
  );
}

function showCircle(names: string[]): string {
  const shown = names.length <= SHOWN_NAMES ? names : [...names.slice(0, SHOWN_NAMES - 1), '…', names.at(-1)!];
  return [...shown, names[0]].join(' → ');
}

function findMissing(pack: CtxPack, fileExists: (path: string) => boolean): About[] {
  return pack.nodes.flatMap(node =>
    (node.files ?? [])
      .filter(file => !fileExists(file))
      .map(file => ({
        message: `node "${node.id}" speaks of ${JSON.stringify(file)}, which does not exist`,
        source: node.id,
      })),
  );
}
