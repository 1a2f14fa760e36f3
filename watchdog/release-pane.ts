// Gives a pane back after its handoff: compaction free, no order left, the lease gone. Done only when a look shows it:
// the engine says nothing to an agent whose lease stands, for as long as this process lives.

import { rm } from 'node:fs/promises';
import { readLease } from '../src/claude/pane-lease.ts';
import type { Outcome } from '../src/handoff/handoff-types.ts';
import type { PaneDoor } from '../src/tmux/pane-door.ts';
import { clearOrder } from './orders.ts';
import { isPaneGone } from './probe-pane.ts';
import type { WatchedPane } from './watched-pane.ts';

export async function releasePane(
  { door, pane }: { door: PaneDoor; pane: Pick<WatchedPane, 'channel'> },
  handoffId: string,
): Promise<Outcome> {
  if (pane.channel !== null) {
    await rm(pane.channel.blockCompact, { force: true });
    await clearOrder(pane.channel.order);
  }
  const view = await door.look();
  if (view !== null && view.lease !== null && readLease(view.lease, handoffId) !== 'other') await door.setLease(null);
  const after = view?.lease === null ? view : await door.look();
  if (after === null) return (await isPaneGone(door.identity)) ? { did: 'done' } : silent;
  return readLease(after.lease, handoffId) === 'ours' ? silent : { did: 'done' };
}

const silent: Outcome = { did: 'nothing', why: 'tmux did not take the lease back' };
