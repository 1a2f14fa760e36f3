// A warning of an agent that every attempt would repeat stands in the report once.

import type { ReportWarning } from '../protocol/report.ts';
import type { RunRecord } from './run-record.ts';

export function warnOnce(
  record: RunRecord,
  agent: string | null,
  warning: Pick<ReportWarning, 'message' | 'severity'>,
): void {
  const isKnown = record.state().warnings.some(each => each.agent === agent && each.message === warning.message);
  if (!isKnown) record.append({ type: 'warning', agent, data: warning });
}
