// How full each session of an execution was over time, from what is left of its transcripts, and where the handoff of
// each agent fires. What cannot be read is left out.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sessionPlaces } from '../claude/session-places.ts';
import { claudeConfigFolder, findTranscript } from '../claude/session-register.ts';
import { settleAgents } from '../engine/settle-agents.ts';
import { thresholdsFor } from '../handoff/thresholds.ts';
import type { ContextCurve } from '../pages/page.ts';
import { loadSettings } from '../project/load-settings.ts';
import type { ExecutionReport } from '../protocol/report.ts';
import type { ExecutionRequest } from '../protocol/request.ts';
import { readUsages } from '../receipts/read-transcript.ts';
import { readReceipts } from '../receipts/receipt-tail.ts';
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
    const files = await transcriptsOf(workspace, agent, Math.max(1, attempts));
    // Headless ones leave no hook and no copy: theirs are where Claude Code keeps its own.
    const told = [
      ...(run?.attempts ?? []).flatMap(({ outcome }) => outcome.claude?.session_ids ?? []),
      ...(report?.agents.find(each => each.agent_name === agent)?.claude?.session_ids ?? []),
    ];
    for (const session of told) {
      const file = files.has(session) ? null : await findTranscript(claudeConfigFolder(), session);
      if (file !== null) files.set(session, file);
    }
    for (const [session, file] of files) {
      const points = (await readUsages(file).catch(() => [])).flatMap(({ time, tokens }) =>
        time === null ? [] : [{ at: time, tokens }],
      );
      if (points.length > 0) curves.push({ agent, session, points });
    }
  }
  return curves;
}

// Copies in the workspace first; where a session has none (it runs, or came before a /clear), what its hooks named.
async function transcriptsOf(workspace: string, agent: string, attempts: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { transcripts } = sessionPlaces(workspace, agent, 1);
  for (const name of await readdir(transcripts).catch(() => []))
    if (name.endsWith('.jsonl')) found.set(name.slice(0, -'.jsonl'.length), path.join(transcripts, name));
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { receipts } = sessionPlaces(workspace, agent, attempt);
    for (const { receipt } of await readReceipts(receipts).catch(() => [])) {
      const { session_id: id, transcript_path: file } = receipt;
      if (id !== null && file !== null && path.basename(file) === `${id}.jsonl` && !found.has(id)) found.set(id, file);
    }
  }
  return found;
}

// By the settings as they are now: nobody wrote down what they were.
export async function readThresholds({ workspace, request }: CurveSource): Promise<Map<string, number>> {
  const thresholds = new Map<string, number>();
  const agents = request === null ? null : await settleAgents(request, workspace).catch(() => null);
  for (const [name, { config, cwd }] of agents ?? []) {
    if (config.provider !== 'claude') continue;
    const settings = await loadSettings(cwd, { env: process.env }).catch(() => null);
    if (settings !== null) thresholds.set(name, thresholdsFor(settings.forAgent(name), null).soft);
  }
  return thresholds;
}
