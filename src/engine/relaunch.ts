// Starts Claude Code again in the pane of its attempt, in the old conversation where it is alive.

import type { Launch } from '../conversation/next-launch.ts';
import { readProcess } from '../process/process-table.ts';
import { currentAttempt } from '../run/run-state.ts';
import { respawnPane } from '../tmux/respawn-pane.ts';
import { tmuxSocket } from '../tmux/runtime.ts';
import type { SettledAgent } from './context.ts';
import { environmentOf } from './prepare-attempt.ts';
import { idOf, newSession, prepareSession, type Session, sessionCommand } from './session-launch.ts';
import type { TendWorld } from './tend-world.ts';
import { writeRecovery } from './write-recovery.ts';

export async function relaunch(
  world: TendWorld,
  agent: SettledAgent,
  launch: Exclude<Launch, { do: 'give_up' }>,
  transcript: string | null = null, // of the conversation that is gone, as far as anything is left of it
): Promise<void> {
  const { context, record } = world;
  const name = agent.request.agent_name;
  const { attempt, opened, talk } = currentAttempt(record.state().agents.get(name)!);
  if (opened === null) return;
  const session: Session = launch.do === 'resume' ? { resume: launch.sessionId } : newSession();
  const how = launch.do === 'resume' ? 'resume' : 'new';
  const why = launch.do === 'resume' ? 'Claude Code ended although nobody asked it to' : launch.why;
  // Before anything was said there is nothing to recover.
  const isLost = launch.do === 'afresh' && talk.isTaskSaid;
  const document = isLost ? await writeRecovery(world, agent, { attempt, why, transcript }) : null;
  const data = { attempt, session_id: idOf(session), how, why, document } as const;
  record.append({ type: 'claude_launched', agent: name, data });
  await record.flush();
  await prepareSession(context, agent, attempt);
  const { argv, env } = await sessionCommand(context, agent, { attempt, launch: talk.launches.length + 1, session });
  const pid = await respawnPane(tmuxSocket(), opened.pane, {
    argv,
    env: { ...environmentOf(context, agent, attempt), ...env },
  });
  const pid_start = readProcess(pid)?.start ?? 'ended';
  record.append({ type: 'attempt_opened', agent: name, data: { attempt, pane: opened.pane, pid, pid_start } });
  context.memory.add(name, pid);
}
