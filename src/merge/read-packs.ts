// Finds the ctxpacks among the outputs and says which of them join the union. Pure.

import type { Finding, ReportWarning } from '../protocol/report.ts';
import type { MergeStrategy } from '../protocol/request.ts';
import { readCtxPack } from './check-ctxpack.ts';
import type { ScannedOutput } from './leaf.ts';
import type { PackSource } from './union-packs.ts';

export const isPack = ({ name, leaves }: ScannedOutput) =>
  name.endsWith('.ctxp') && leaves.length === 1 && leaves[0]!.kind === 'file' && leaves[0]!.path === '';

export type Packs = {
  sources: PackSource[];
  united: Set<ScannedOutput>;
  findings: Finding[];
  warnings: ReportWarning[];
};

export function readPacks(candidates: { output: ScannedOutput; body: Buffer | null }[], isStrict: boolean): Packs {
  const packs: Packs = { sources: [], united: new Set(), findings: [], warnings: [] };
  for (const { output, body } of candidates) {
    const { pack, findings } = readCtxPack(body, output.root);
    if (pack) {
      packs.sources.push({ agent: output.agent, file: output.root, pack });
      packs.united.add(output);
    } else if (isStrict) packs.findings.push(...findings);
    else {
      const message = `${output.root} is no valid ctxpack and was left out of the union: ${findings[0]!.message}`;
      packs.warnings.push({ agent: output.agent, message, severity: 'medium' });
    }
  }
  return packs;
}

export function warnOfMissingPacks(
  agents: { name: string }[],
  packs: Packs,
  type: MergeStrategy['type'],
): ReportWarning[] {
  if (type !== 'ctxpack_union') return [];
  const having = new Set([...packs.sources, ...packs.warnings].map(one => one.agent));
  return agents
    .filter(({ name }) => !having.has(name))
    .map(({ name }) => ({ agent: name, message: `"${name}" has no .ctxp output to unite`, severity: 'low' }));
}
