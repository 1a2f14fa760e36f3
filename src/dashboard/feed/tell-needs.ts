// Hears, for notices, that somebody is needed: when an agent newly needs a person, or an execution ended, the events
// since the dashboard was opened are told. What its engine told already is known by the event, and not told again.

import { readEvents } from '../../engine/read-execution.ts';
import type { Event } from '../../protocol/event.ts';
import { buildRows } from '../model/agent-row.ts';
import type { Seen } from '../model/seen.ts';
import type { Feed } from './open-feed.ts';

export type TellEvent = (event: Event, workspace: string) => void;

export function tellNeeds(feed: Pick<Feed, 'seen' | 'subscribe'>, tell: TellEvent): () => void {
  const since = Date.now();
  let before: ReadonlyMap<string, string> | null = null;
  return feed.subscribe(() => {
    const seen = feed.seen();
    const now = signsOf(seen);
    // What is there when it opens is on the screen already.
    if (before !== null)
      for (const [workspace, sign] of now) if (before.get(workspace) !== sign) void tellOf(workspace, since, tell);
    before = now;
  });
}

// One text for each execution that changes whenever somebody else, or something else, needs a person.
function signsOf(seen: Seen): Map<string, string> {
  const rows = buildRows(seen).filter(row => row.rank === 'needs');
  return new Map(
    seen.executions.map(({ id, workspace, status }) => {
      const needs = rows
        .filter(row => row.execution === id)
        .map(row => [row.key, row.look.word, row.question?.asked_at ?? ''].join(' '));
      return [workspace, [status.status, ...needs].join('\n')];
    }),
  );
}

async function tellOf(workspace: string, since: number, tell: TellEvent): Promise<void> {
  const events = await readEvents(workspace).catch(() => []);
  const [first, ...rest] = events;
  if (first?.type !== 'execution_started') return;
  tell(first, workspace); // whose they are
  for (const event of rest) if (Date.parse(event.time) >= since) tell(event, workspace);
}
