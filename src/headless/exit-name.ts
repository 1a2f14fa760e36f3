// The exit code of a chain, from the one table of exit codes.

import type { ChainResult } from '../protocol/chain.ts';
import type { ExitName } from '../protocol/fault.ts';

export function exitNameOf(result: Pick<ChainResult, 'ended_by' | 'ended_well'>): ExitName {
  if (result.ended_well) return 'success';
  if (result.ended_by === 'cancelled') return 'cancelled';
  return result.ended_by === 'timeout' ? 'timeout' : 'failure';
}
