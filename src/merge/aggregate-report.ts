// merged/report.md and merged/index.json of report_aggregation: what each agent produced, where it came
// from and where it is now. Pure.

import { embedMarkdown, embedName, embedPlain } from './embed-text.ts';
import type { PlacedLeaf } from './leaf.ts';
import { toText } from './text.ts';

// Larger texts are listed, not shown: the report is to be read.
export const SHOWN_BYTES = 64 * 1024;
const SHOWN_TOTAL = 2 * 1024 * 1024;

export type ReportedLeaf = { leaf: PlacedLeaf; body: Buffer | null };
export type ReportedOutput = {
  agent: string;
  key: string;
  source: string;
  target: string | null;
  leaves: ReportedLeaf[];
};
type Facts = { executionId: string; now: string; agents: string[]; outputs: ReportedOutput[]; hasPack: boolean };

export function buildIndex({ executionId, now, agents, outputs, hasPack }: Facts) {
  return {
    index: 1,
    execution_id: executionId,
    written_at: now,
    integrated_ctxpack: hasPack ? 'integrated.ctxp' : null,
    agents: agents.map(agent => ({
      agent_name: agent,
      outputs: outputs
        .filter(output => output.agent === agent)
        .map(({ key, source, target, leaves }) => ({
          key,
          source,
          merged_as: target ?? 'integrated.ctxp',
          files: leaves.map(({ leaf: { at, kind, sha256, bytes, source: from } }) => {
            return { path: target === null ? null : at, kind, sha256, bytes, source: from };
          }),
        })),
    })),
  };
}

export function buildAggregate(facts: Facts): string {
  const { executionId, now, agents, outputs, hasPack } = facts;
  let left = SHOWN_TOTAL;
  const sections = agents.map(agent => {
    const own = outputs.filter(output => output.agent === agent);
    const parts = own.flatMap(output => {
      const shown = output.leaves.flatMap(one => {
        const text = showLeaf(one, left);
        left -= text?.length ?? 0;
        return text === null ? [] : [text];
      });
      return [`### Output ${embedName(output.key)}\n`, provenance(output), ...shown];
    });
    return [`## ${agent}\n`, ...(own.length > 0 ? parts : ['No outputs.\n'])].join('\n');
  });
  const head = [
    `# Report of ${executionId}\n`,
    `${agents.length} agents, ${outputs.length} outputs. Written ${now}. The same in JSON: [index.json](index.json).`,
    ...(hasPack ? ['What the agents found out, united: [integrated.ctxp](integrated.ctxp).'] : []),
    '\n## Contents\n',
    ...agents.map(agent => `- [${agent}](#${agent.toLowerCase()})`),
  ];
  return `${head.join('\n')}\n\n${sections.join('\n')}`;
}

function provenance({ source, target, leaves }: ReportedOutput): string {
  const where = target === null ? 'united into `integrated.ctxp`' : `now at ${embedName(target)}`;
  const rows = leaves
    .filter(({ leaf }) => leaf.kind !== 'folder')
    .map(({ leaf }) => `| ${embedName(leaf.path || leaf.at)} | ${leaf.kind} | ${leaf.bytes} | \`${leaf.sha256}\` |`);
  const table = ['| File | Kind | Bytes | sha256 |', '|---|---|---:|---|', ...rows];
  return `From ${embedName(source)}, ${where}.\n\n${table.join('\n')}\n`;
}

function showLeaf({ leaf, body }: ReportedLeaf, left: number): string | null {
  if (leaf.kind !== 'file' || !body || body.length > Math.min(SHOWN_BYTES, left)) return null;
  const text = toText(body);
  if (text === null) return null;
  const isMarkdown = /\.(md|markdown)$/i.test(leaf.source);
  return `#### ${embedName(leaf.path || leaf.at)}\n\n${isMarkdown ? embedMarkdown(text, 4) : embedPlain(text)}\n`;
}
