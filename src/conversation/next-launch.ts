// Claude Code ended although nobody asked it to: start it again, and how? Pure.

import type { Talk } from './talk.ts';

// As a supervisor does it: so many in so long, then stop and say so.
const MAX_LAUNCHES = 3;
const WITHIN_MS = 10 * 60_000;

export type Launch =
  | { do: 'resume'; sessionId: string }
  | { do: 'afresh'; why: string }
  | { do: 'give_up'; reason: string };

export type Ended = { at: number; exit: string; conversation: 'alive' | 'gone' };

export function nextLaunch(talk: Talk, ended: Ended): Launch {
  const sessionId = talk.sessionIds.at(-1);
  if (talk.unready >= 2) return { do: 'give_up', reason: `Claude Code ended at once, twice (${ended.exit})` };
  const restarts = talk.launches.slice(1).filter(at => ended.at - at < WITHIN_MS).length;
  if (restarts >= MAX_LAUNCHES)
    return { do: 'give_up', reason: `Claude Code ended ${restarts + 1} times within 10 minutes (last: ${ended.exit})` };
  // A conversation that could not be taken up again is not tried a second time.
  const isAlive = ended.conversation === 'alive' && talk.unready === 0;
  if (isAlive && sessionId !== undefined && talk.isTaskSaid) return { do: 'resume', sessionId };
  return { do: 'afresh', why: ended.exit };
}
