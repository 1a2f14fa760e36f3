// The rules of "auto", in the order of docs/merge.md. Pure. null: no rule covers this one.

import type { DependencyOrder } from './dependency-order.ts';
import { joinJson } from './join-json.ts';
import { type Dispute, type Side, type Verdict, versionOf } from './leaf.ts';
import { toText } from './text.ts';
import { meaningOf } from './union-packs.ts';

// bodies: the content of each side, null where it is too large to compare.
export function resolveDispute(dispute: Dispute, bodies: (Buffer | null)[], order: DependencyOrder): Verdict | null {
  const sawAll = () => bySawAll(dispute, order);
  if (dispute.kind === 'ctxpack_node' || dispute.shape || dispute.sides.some(side => side.kind !== 'file')) {
    return sawAll();
  }
  const texts = bodies.map(body => (body ? toText(body) : null));
  const allTexts = texts.every(text => text !== null) ? texts : null;
  return (
    (allTexts && byBlanks(dispute, allTexts, order)) ??
    byOneChanged(dispute, order) ??
    sawAll() ??
    (allTexts && byJson(dispute, allTexts, order))
  );
}

function byBlanks(dispute: Dispute, texts: string[], order: DependencyOrder): Verdict | null {
  const [first, ...others] = texts.map(withoutBlanks);
  if (others.some(text => text !== first)) return null;
  const { agent } = latest(dispute.sides, order);
  return { rule: 'blanks', chosen: agent, keeps: { agent } };
}

function withoutBlanks(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(line => line.trimEnd())
    .join('\n')
    .trimEnd();
}

function byOneChanged({ base, sides }: Dispute, order: DependencyOrder): Verdict | null {
  if (!base) return null;
  const changed = sides.filter(side => side.sha256 !== base.sha256);
  if (new Set(changed.map(versionOf)).size !== 1) return null;
  const { agent } = latest(changed, order);
  return { rule: 'one_changed', chosen: agent, keeps: { agent } };
}

// Whoever could see every version that differs from its own had the last word on purpose.
function bySawAll({ sides, shape }: Dispute, order: DependencyOrder): Verdict | null {
  const meaning = (side: Side) => (side.node ? meaningOf(side.node) : versionOf(side));
  const saw = [...Map.groupBy(sides, side => side.agent)].filter(([agent, own]) => {
    // A folder is one word of many files. Two packs of one agent that disagree are no word at all.
    const words = new Set(own.map(meaning));
    if (!shape && words.size > 1) return false;
    const isOwnWord = (side: Side) => !shape && words.has(meaning(side));
    return sides.every(side => side.agent === agent || order.dependsOn(agent, side.agent) || isOwnWord(side));
  });
  if (saw.length === 0) return null;
  const { agent } = latest(
    saw.flatMap(([, own]) => own),
    order,
  );
  return { rule: 'saw_all', chosen: agent, keeps: { agent } };
}

function byJson(dispute: Dispute, texts: string[], order: DependencyOrder): Verdict | null {
  if (!dispute.path.endsWith('.json')) return null;
  const rank = (i: number) => order.rank(dispute.sides[i]!.agent);
  const inOrder = texts.map((_, i) => i).sort((a, b) => rank(a) - rank(b));
  const joined = joinJson(inOrder.map(i => texts[i]!));
  if (joined === null) return null;
  const executable = dispute.sides.some(side => side.executable);
  return { rule: 'json_union', chosen: 'merged', keeps: { body: Buffer.from(joined), executable } };
}

function latest(sides: Side[], order: DependencyOrder): Side {
  return sides.reduce((last, side) => (order.rank(side.agent) > order.rank(last.agent) ? side : last));
}
