// The library form of `baton run`: a request in, the report out. And of the chain of headless sessions.

import type { ChainLimits, ChainResult, HeadlessWish, SessionResult, Tokens } from './protocol/chain.ts';
import type { Event } from './protocol/event.ts';
import type { ExecutionReport } from './protocol/report.ts';
import type { ExecutionRequest } from './protocol/request.ts';
import type { Status } from './protocol/status.ts';

export { Fault } from './protocol/fault.ts';
export type {
  ChainLimits,
  ChainResult,
  Event,
  ExecutionReport,
  ExecutionRequest,
  HeadlessWish,
  SessionResult,
  Status,
  Tokens,
};

export type OrchestrateOptions = {
  allowRoots?: string[];
  trusted?: string[];
  again?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: Event) => void;
  onStatus?: (status: Status) => void;
};

// Relative paths of the request are taken from the current folder. Rejects with a Fault when it is refused.
export async function orchestrateParallel(
  request: unknown,
  options: OrchestrateOptions = {},
): Promise<ExecutionReport> {
  const { runRequest } = await import('./engine/run-execution.ts');
  const { allowRoots = [], ...rest } = options;
  return (await runRequest({ value: request, folder: process.cwd() }, { allowRoots, ...rest })).report;
}

export type ContinuationWish = {
  settings: HeadlessWish;
  print?: (lines: readonly string[]) => void; // the stream, readably
  complain?: (text: string) => void; // stderr of Claude Code
  signal?: AbortSignal;
};

// One task run by `claude -p`, over as many fresh sessions as it may have. Rejects with a Fault when the settings
// are wrong or Claude Code cannot be started; everything else is told by the result.
export async function runWithContinuation(wish: ContinuationWish): Promise<ChainResult> {
  const { runChain } = await import('./headless/run-chain.ts');
  return runChain(wish);
}
