// Which pane of Baton's own tmux server an agent runs in, proven by the pane's tags; and what a pane given
// by its id is. Reads only.

import { fileURLToPath } from 'node:url';
import { type SessionPlaces, sessionPlaces } from '../claude/session-places.ts';
import { exists } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import type { AgentLine } from '../protocol/status.ts';
import type { PaneIdentity } from '../tmux/pane-door.ts';
import { runTmux } from '../tmux/run-tmux.ts';
import { tmuxSocket } from '../tmux/runtime.ts';
import type { PaneFact } from '../tmux/tmux.ts';
import { connectTmux } from '../tmux/tmux-cli.ts';
import type { Execution } from './find-execution.ts';

const CONFIG = fileURLToPath(new URL('../../templates/tmux.conf', import.meta.url));

export type AgentPane = { identity: PaneIdentity; places: SessionPlaces };

export const isPaneId = (ref: string): boolean => /^%\d+$/.test(ref);

const listPanes = (): Promise<PaneFact[]> => connectTmux(CONFIG).listPanes();

// The pane in which this agent's present attempt is a Claude Code session.
export async function findAgentPane(execution: Execution, agent: AgentLine): Promise<AgentPane> {
  const who = `${execution.id}/${agent.agent_name}`;
  if (agent.status !== 'running' && agent.status !== 'parked')
    throw new Fault('refused', `${who} is not running (${agent.status})`, `\`baton logs ${who}\` shows what it wrote`);
  const places = sessionPlaces(execution.workspace, agent.agent_name, agent.attempt);
  if (!(await exists(places.settings)))
    throw new Fault(
      'refused',
      `${who} is not a Claude Code session: nobody can talk to it`,
      'only agents with "provider": "claude" in their agent.json take part in this',
    );
  const found = choosePane(await listPanes(), { workspace: execution.workspace, agent });
  if (found === null)
    throw new Fault(
      'refused',
      `${who} has no living pane on Baton's tmux server`,
      `\`baton status ${execution.id}\` shows how it stands`,
    );
  return { identity: identityOf(found), places };
}

// Both must agree: a pane id alone may be another's by now, and a pane that somebody split off has the same tags.
export function choosePane(
  panes: readonly PaneFact[],
  { workspace, agent }: { workspace: string; agent: Pick<AgentLine, 'agent_name' | 'attempt' | 'pane'> },
): PaneFact | null {
  const isTagged = ({ tags }: PaneFact) =>
    tags.workspace === workspace && tags.agent === agent.agent_name && tags.attempt === agent.attempt;
  return panes.find(each => each.pane === agent.pane && !each.isDead && isTagged(each)) ?? null;
}

const identityOf = ({ pane, pid }: { pane: string; pid: number }): PaneIdentity => ({
  socket: tmuxSocket(),
  pane,
  pid,
});

// "%3" → "execution/agent" by its tags, or null for a pane that is no agent's.
export async function agentInPane(pane: string): Promise<{ workspace: string; agent: string } | null> {
  const found = (await listPanes()).find(each => each.pane === pane);
  return found === undefined ? null : { workspace: found.tags.workspace, agent: found.tags.agent };
}

// Any pane of Baton's own server.
export async function findPane(pane: string): Promise<PaneIdentity> {
  const socket = tmuxSocket();
  const { ok, stdout } = await runTmux({
    socket,
    args: ['display-message', '-p', '-t', pane, '#{pane_id} #{pane_pid} #{pane_dead}'],
  });
  const [id, pid, dead] = stdout.trim().split(' ');
  if (!ok || id !== pane || !Number(pid) || dead === '1')
    throw new Fault(
      'invalid',
      `there is no living pane ${pane} on Baton's tmux server`,
      '`baton status` shows the panes',
    );
  return identityOf({ pane, pid: Number(pid) });
}
