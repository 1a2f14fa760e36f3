// A plain session result for tests, with what matters replaced.

import type { SessionResult } from '../../src/protocol/chain.ts';

export const sessionResult = (more: Partial<SessionResult>): SessionResult => ({
  session_id: 's',
  claude_version: '2.1.326',
  ended_by: 'completed',
  reason: null,
  api_error_status: null,
  permission_denials: [],
  pre_compacted: false,
  handoff: 'none',
  turns: 1,
  cost_usd: 0.01,
  cost_source: 'reported',
  tokens: { input: 0, output: 0, cache_read: 0, cache_creation: 0 },
  started_at: '2026-01-01T00:00:00.000Z',
  ended_at: '2026-01-01T00:00:10.000Z',
  ...more,
});
