// What a `claude-headless` attempt left behind: its combined result is read, its stream freed of secrets, the run
// remembered, the account closed where the service refused it. Every part of it may happen twice.

import { rm } from 'node:fs/promises';
import { toRun } from '../chain/record-continuation.ts';
import { accountGate } from '../claude/account-gate.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import { readJson } from '../files/write-file.ts';
import { keepRun } from '../headless/keep-history.ts';
import { ChainResult } from '../protocol/chain.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';
import { chainTrouble } from './chain-trouble.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { stateFolder } from './find-execution.ts';
import { type Note, taskSize } from './headless-launch.ts';

export type ChainEnd = {
  result: ChainResult | null; // null: run-headless was killed, or never began
  totalContinuations: number | null;
  mayRetry: boolean;
  isRefused: boolean; // by the service
  warnings: Note[];
};

export async function endChain(context: EngineContext, agent: SettledAgent, attempt: number): Promise<ChainEnd> {
  const places = sessionPlaces(context.places.workspace, agent.request.agent_name, attempt);
  const warnings: Note[] = [];
  const result = await readJson(places.chain, ChainResult).catch(() => null);
  // Copies that run-headless takes away itself, unless it was killed.
  for (const end of ['settings.json', 'compaction']) await rm(`${places.stream}.${end}`, { force: true });
  for (const file of [places.stream, places.chain]) {
    await context.redactor.file(file).catch(error => {
      if (error?.code !== 'ENOENT')
        warnings.push({ message: `${file} may hold secrets, it could not be redacted: ${error}`, severity: 'high' });
    });
  }
  if (result === null) return { result, totalContinuations: null, mayRetry: true, isRefused: false, warnings };
  warnings.push(...denialNotes(result));
  const kept = await remember(agent, result);
  warnings.push(...kept.warnings);
  const trouble = chainTrouble(result, { now: context.clock.now(), attempt, chance: Math.random() });
  if (trouble.gate !== null) await accountGate(ensureRuntimeFolder(), context.environment).close(trouble.gate);
  const { mayRetry, gate } = trouble;
  return { result, totalContinuations: kept.total, mayRetry, isRefused: gate !== null, warnings };
}

// In one line, why its program did not end with 0; null where it did.
export function chainWords(result: ChainResult | null): string | null {
  if (result === null || result.ended_well) return null;
  const { ended_by, reason, stopped_because, continuations, cost_usd } = result;
  const why = reason === null || reason === stopped_because ? '' : `: ${reason}`;
  return `${ended_by}${why} (${stopped_because}; ${continuations} continuations, $${cost_usd.toFixed(4)})`;
}

// Stopped by a limit of ours, not by itself. When its contract is met all the same, the work is not thrown away.
export const isCutOff = (result: ChainResult | null): boolean =>
  result !== null && ['context_full', 'max_turns', 'cost_cap'].includes(result.ended_by);

export function cutOffNotes(chain: ChainEnd | null, status: string): Note[] {
  if (status !== 'success' || chain === null || !isCutOff(chain.result)) return [];
  const message = `it was cut off after its contract was met: ${chainWords(chain.result)}`;
  return [{ message, severity: 'medium' }];
}

async function remember(agent: SettledAgent, result: ChainResult): Promise<{ total: number | null; warnings: Note[] }> {
  try {
    const run = toRun(result, taskSize(agent));
    const { history, warning } = await keepRun(stateFolder(), agent.request.agent_name, run);
    const warnings: Note[] = warning === null ? [] : [{ message: warning, severity: 'medium' }];
    return { total: history.total_continuations, warnings };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { total: null, warnings: [{ message: `its continuations were not remembered: ${why}`, severity: 'low' }] };
  }
}

function denialNotes({ permission_denials: denials }: ChainResult): Note[] {
  if (denials.length === 0) return [];
  const what = denials.map(({ tool, input }) => `${tool} ${input}`.trim());
  const shown = [...new Set(what)].slice(0, 3).join('; ');
  return [{ message: `${denials.length} tool calls were not permitted: ${shown}`, severity: 'medium' }];
}
