// Whose turn it is to type: the lease of a handoff, kept as an option of the pane. It dies with its holder: a
// lease of a process that is gone is nobody's.

import { readProcess } from '../process/process-table.ts';

const me = (): string => `${process.pid}:${readProcess(process.pid)?.start ?? ''}`;

export const leaseFor = (handoffId: string): string => `${me()}:${handoffId}`;

export function readLease(value: string | null, handoffId: string): 'ours' | 'free' | 'other' {
  if (value === null) return 'free';
  const [pid, start, ...id] = value.split(':');
  if (`${pid}:${start}` === me()) return id.join(':') === handoffId ? 'ours' : 'other';
  return isAlive(pid, start) ? 'other' : 'free';
}

// For everybody else: is a handoff under way here?
export function leaseHolder(value: string | null): string | null {
  const [pid, start, ...id] = (value ?? '').split(':');
  return value !== null && isAlive(pid, start) ? `the watchdog (handoff ${id.join(':')})` : null;
}

// One that has ended and was not yet asked after by its parent types nothing any more.
function isAlive(pid: string | undefined, start: string | undefined): boolean {
  const fact = readProcess(Number(pid));
  return fact !== null && !fact.isZombie && fact.start === start;
}
