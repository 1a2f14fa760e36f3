// How full each session of an execution was over time, from what is left of its transcripts. What cannot be read is
// left out.

import { agentTranscripts } from '../claude/agent-transcripts.ts';
import type { ContextCurve } from '../pages/page.ts';
import type { ExecutionReport } from '../protocol/report.ts';
import type { ExecutionRequest } from '../protocol/request.ts';
import { readUsages } from '../receipts/read-transcript.ts';
import type { RunState } from '../run/run-state.ts';

export type CurveSource = {
  workspace: string;
  request: ExecutionRequest | null;
  state: RunState | null;
  report: ExecutionReport | null;
};

export async function readCurves({ workspace, request, state, report }: CurveSource): Promise<ContextCurve[]> {
  const curves: ContextCurve[] = [];
  for (const { agent_name: agent } of request?.agents ?? []) {
    const run = state?.agents.get(agent);
    const attempts = (run?.attempts.length ?? 0) + (run !== undefined && 'now' in run.state ? 1 : 0);
    const told = [
      ...(run?.attempts ?? []).flatMap(({ outcome }) => outcome.claude?.session_ids ?? []),
      ...(report?.agents.find(each => each.agent_name === agent)?.claude?.session_ids ?? []),
    ];
    const files = await agentTranscripts(workspace, agent, { attempts: Math.max(1, attempts), told });
    for (const [session, file] of files) {
      const points = (await readUsages(file).catch(() => [])).flatMap(({ time, tokens }) =>
        time === null ? [] : [{ at: time, tokens }],
      );
      if (points.length > 0) curves.push({ agent, session, points });
    }
  }
  return curves;
}
