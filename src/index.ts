// The library form of `baton run`: a request in, the report out.

import type { Event } from './protocol/event.ts';
import type { ExecutionReport } from './protocol/report.ts';
import type { ExecutionRequest } from './protocol/request.ts';
import type { Status } from './protocol/status.ts';

export { Fault } from './protocol/fault.ts';
export type { Event, ExecutionReport, ExecutionRequest, Status };

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
