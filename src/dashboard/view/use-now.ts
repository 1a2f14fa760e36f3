// The time that is shown: every second while an agent runs, else with the clock's minutes.

import { useEffect, useState } from 'react';
import type { Seen } from '../model/seen.ts';

const MINUTE = 60_000;

export function useNow(seen: Seen): number {
  const [now, setNow] = useState(Date.now);
  const isMoving = seen.executions.some(
    ({ status, hasEngine }) => hasEngine && status.agents.some(({ status: is }) => is === 'running' || is === 'parked'),
  );
  const since = isMoving ? 0 : now; // an interval goes on by itself, a timeout is set anew
  useEffect(() => {
    const timer = isMoving
      ? setInterval(() => setNow(Date.now()), 1000)
      : setTimeout(() => setNow(Date.now()), MINUTE - (since % MINUTE));
    return () => clearTimeout(timer);
  }, [isMoving, since]);
  return now;
}
