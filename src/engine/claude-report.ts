// What the report tells of an agent that was a Claude Code session.

import { readdir } from 'node:fs/promises';
import { sessionPlaces } from '../claude/session-places.ts';
import { parkedMsUntil } from '../conversation/talk.ts';
import type { ClaudeReport } from '../protocol/report.ts';
import { readStatusRecord } from '../receipts/read-status-record.ts';
import type { Attempt } from '../run/run-state.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { providerOf } from './provider.ts';

export async function claudeReport(
  context: EngineContext,
  agent: SettledAgent,
  { attempt, talk }: Attempt,
): Promise<ClaudeReport | null> {
  if (!providerOf(agent.config).isTended) return null;
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
    cost_usd: record?.cost_usd ?? null,
    transcripts: copies.filter(isOurs).map(name => `${places.transcripts}/${name}`),
    continuations: 0,
  };
}
