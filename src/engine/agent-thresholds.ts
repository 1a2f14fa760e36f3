// At how many tokens each Claude Code agent of an execution is handed off, by the settings as they are now: nobody
// wrote down what they were.

import { thresholdsFor } from '../handoff/thresholds.ts';
import { loadSettings } from '../project/load-settings.ts';
import type { ExecutionRequest } from '../protocol/request.ts';
import { settleAgents } from './settle-agents.ts';

export async function agentThresholds(request: ExecutionRequest, workspace: string): Promise<Map<string, number>> {
  const thresholds = new Map<string, number>();
  const agents = await settleAgents(request, workspace).catch(() => null);
  for (const [name, { config, cwd }] of agents ?? []) {
    if (config.provider !== 'claude') continue;
    const settings = await loadSettings(cwd, { env: process.env }).catch(() => null);
    if (settings !== null) thresholds.set(name, thresholdsFor(settings.forAgent(name), null).soft);
  }
  return thresholds;
}
