// `baton dashboard`, and `baton` alone on a terminal: everything at a glance, and one key to step in.

import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { openRunNotices } from '../run-notices.ts';

export async function run(input: CommandInput): Promise<number> {
  if (!input.out.isTerminal || !process.stdin.isTTY)
    throw new Fault('invalid', 'the dashboard needs a terminal', '`baton status --watch` is for pipes and logs');
  // React is three times as fast without the checks it makes for its developers.
  process.env.NODE_ENV ??= 'production';
  const { openDashboard } = await import('../../dashboard/open-dashboard.tsx');
  const notices = await openRunNotices(input, () => {}); // trouble has no place on this screen; the engine tells it
  try {
    await openDashboard({ paint: input.out.paint, onEvent: notices.event });
  } finally {
    await notices.close();
  }
  return exitCodes.success;
}
