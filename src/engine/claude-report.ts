// What the report tells of an agent that was Claude Code: one session with a screen, or a chain without.

import { readdir } from 'node:fs/promises';
import { versionNote } from '../claude/find-claude.ts';
import { addCost, readCosts, totalCost } from '../claude/session-costs.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import { parkedMsUntil } from '../conversation/talk.ts';
import type { ChainReport, ClaudeReport } from '../protocol/report.ts';
import { readStatusRecord } from '../receipts/read-status-record.ts';
import type { Attempt } from '../run/run-state.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import type { ChainEnd } from './end-chain.ts';
import type { Note } from './headless-launch.ts';
import { providerOf } from './provider.ts';

export async function claudeReport(
  context: EngineContext,
  agent: SettledAgent,
  { now, chain }: { now: Attempt; chain: ChainEnd | null },
): Promise<ClaudeReport | null> {
  if (chain !== null) return ofChain(context, agent, now, chain);
  return providerOf(agent.config).isTended ? ofSession(context, agent, now) : null;
}

export function claudeWarnings(report: ClaudeReport | null): Note[] {
  // A session that never spoke did not tell its version either: there is worse to tell of it.
  const note = report === null || report.version === null ? null : versionNote(report.version);
  return note === null ? [] : [{ message: note, severity: 'low' }];
}

async function ofSession(
  context: EngineContext,
  agent: SettledAgent,
  { attempt, talk }: Attempt,
): Promise<ClaudeReport> {
  const places = sessionPlaces(context.places.workspace, agent.request.agent_name, attempt);
  const record = await readStatusRecord(places.record).catch(() => null);
  const copies = await readdir(places.transcripts).catch(() => []);
  const isOurs = (name: string) => talk.sessionIds.some(id => name.startsWith(id));
  return {
    version: record?.version ?? null,
    permission_mode: agent.config.permission_mode,
    session_ids: talk.sessionIds,
    nudges: talk.nudges,
    restarts: talk.launches.length - 1,
    parked_seconds: Math.round(parkedMsUntil(talk, context.clock.now()) / 1000),
    context_tokens: record?.tokens ?? null,
    cost_usd: totalCost(addCost(await readCosts(places.costs), record)),
    transcripts: copies.filter(isOurs).map(name => `${places.transcripts}/${name}`),
    continuations: 0,
    chain: null,
  };
}

function ofChain(context: EngineContext, agent: SettledAgent, { attempt }: Attempt, end: ChainEnd): ClaudeReport {
  const { result } = end;
  const sessions = result?.sessions ?? [];
  return {
    version: sessions.at(-1)?.claude_version ?? null,
    permission_mode: agent.config.permission_mode,
    session_ids: sessions.map(session => session.session_id),
    nudges: 0,
    restarts: 0,
    parked_seconds: 0,
    context_tokens: null,
    cost_usd: result?.cost_usd ?? null,
    transcripts: [sessionPlaces(context.places.workspace, agent.request.agent_name, attempt).stream],
    continuations: result?.continuations ?? 0,
    chain: result === null ? null : chainReport(result, end.totalContinuations),
  };
}

const chainReport = (result: NonNullable<ChainEnd['result']>, total: number | null): ChainReport => ({
  ended_by: result.ended_by,
  reason: result.reason,
  stopped_because: result.stopped_because,
  tokens: result.tokens,
  turns: result.turns,
  cost_source: result.cost_source,
  pre_compacted: result.pre_compacted,
  final_session_id: result.final_session_id,
  permission_denials: result.permission_denials,
  total_continuations: total,
});
