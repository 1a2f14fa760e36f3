// What a tender may touch of the engine it belongs to.

import type { AccountGate } from '../claude/account-gate.ts';
import type { LiveClaude } from '../run/build-status.ts';
import type { Exit } from '../run/run-state.ts';
import type { EngineContext } from './context.ts';
import type { RunRecord } from './run-record.ts';

export type TendWorld = {
  context: EngineContext;
  record: RunRecord;
  gate: AccountGate;
  live: Map<string, LiveClaude>; // what status.json tells beside the events
  changed(): void; // status.json is due
  exited(agent: string, exit: Exit): void;
  giveUp(agent: string, why: { reason: string; mayRetry: boolean }): void;
};
