// The closing lines of an execution: the verdict, why agents failed, where the report is, what to do next.

import { plainText } from '../files/plain-text.ts';
import type { AgentReport, ExecutionReport, ExecutionStatus } from '../protocol/report.ts';
import { countsText, lookOf } from '../text/agent-state.ts';
import type { Colour, Paint } from '../text/paint.ts';
import { counted, spanText } from '../text/span-text.ts';

const words: Record<ExecutionStatus, { text: string; colour: Colour }> = {
  success: { text: 'success', colour: 'green' },
  partial_success: { text: 'partial success', colour: 'yellow' },
  failure: { text: 'failure', colour: 'red' },
  timeout: { text: 'timeout', colour: 'red' },
  cancelled: { text: 'cancelled', colour: 'yellow' },
};

const MOST_TAKES = 3; // more make a line nobody reads

export function verdictLines(report: ExecutionReport, reportFile: string, paint: Paint): string[] {
  const { text, colour } = words[report.status];
  const counts = countsText(report.agents.map(agent => lookOf[agent.status]));
  const time = spanText(report.duration_seconds * 1000);
  return [
    `${paint(colour, text)}: ${report.execution_id}, ${counts}, ${time}${mergeText(report)}`,
    ...report.agents.filter(agent => agent.status !== 'success').flatMap(agent => failedLines(agent, paint)),
    ...report.errors
      .filter(error => error.agent === null)
      .map(error => `  ${paint('red', '✖')} ${plainText(error.message)}`),
    `report: ${plainText(reportFile)}`,
    ...nextSteps(report).map(step => `next: ${step}`),
  ];
}

function mergeText({ merge_result: merge }: ExecutionReport): string {
  if (merge.status === 'success') {
    const resolved = merge.conflicts_resolved > 0 ? `, ${counted(merge.conflicts_resolved, 'conflict')} resolved` : '';
    return `, ${counted(merge.merged_files.length, 'path')} merged${resolved}`;
  }
  if (merge.status === 'conflict') return `, ${counted(merge.conflicts.length, 'conflict')} to decide`;
  return merge.status === 'failed'
    ? `, merge failed: ${plainText(merge.reason ?? 'see the report')}`
    : ', nothing merged';
}

function failedLines(agent: AgentReport, paint: Paint): string[] {
  const { sign, colour, word } = lookOf[agent.status];
  const reason = agent.reason === null ? '' : `: ${plainText(agent.reason)}`;
  const lines = [`  ${paint(colour, sign)} ${agent.agent_name} ${word}${reason}`];
  if (agent.logs !== null) lines.push(`    log: ${plainText(agent.logs.stderr)}`);
  return lines;
}

export function nextSteps(report: ExecutionReport): string[] {
  const id = report.execution_id;
  if (report.merge_result.status === 'conflict') {
    const ids = report.merge_result.conflicts.map(({ conflict }) => conflict);
    const named = ids.length > MOST_TAKES ? ['<conflict>'] : ids;
    return [`baton conflicts ${id}`, `baton merge ${id} ${named.map(name => `--take ${name}=<agent>`).join(' ')}`];
  }
  const failed = report.agents.filter(agent => agent.status === 'failure' || agent.status === 'timeout');
  return failed.slice(0, 3).map(agent => `baton retry ${id} ${agent.agent_name}`);
}
