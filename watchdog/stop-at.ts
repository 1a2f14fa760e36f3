// The door of the tests that kill (docs/watchdog.md): BATON_FAULT_AT=clearing:effect freezes this process with SIGSTOP,
// once, at that point of a handoff's journal, so that a test can kill whom it wants exactly there. Unset, it is not there.

import type { HandoffJournal } from './run-handoff.ts';

// before: nothing of this state is written yet. effect: the deed is done, its proof not written. proof: all is written.
type Point = 'before' | 'effect' | 'proof';

let isSpent = false;

export function stoppingAt(journal: HandoffJournal, at = process.env.BATON_FAULT_AT): HandoffJournal {
  if (!at) return journal;
  const reach = (state: string, point: Point) => {
    if (isSpent || at !== `${state}:${point}`) return;
    isSpent = true;
    process.kill(process.pid, 'SIGSTOP');
  };
  return {
    read: journal.read,
    async append(entry) {
      const { name } = entry.state;
      reach(name, entry.kind === 'proof' ? 'effect' : 'before');
      await journal.append(entry);
      // Without a deed there is no proof to come.
      if (entry.kind !== 'intent') reach(name, 'proof');
    },
  };
}
