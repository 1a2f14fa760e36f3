// <agent> or %N on the command line → the Claude Code session that runs there.

import { type AgentPane, agentInPane, findAgentPane, isPaneId } from '../engine/find-pane.ts';
import { Fault } from '../protocol/fault.ts';
import { type FoundAgent, findAgent } from './find-agent.ts';

export type FoundSession = FoundAgent & AgentPane & { who: string };

export async function findSession(ref: string, executionRef: string | undefined): Promise<FoundSession> {
  const found = isPaneId(ref) ? await agentOfPane(ref) : await findAgent(ref, executionRef);
  const pane = await findAgentPane(found.execution, found.agent);
  return { ...found, ...pane, who: `${found.execution.id}/${found.agent.agent_name}` };
}

async function agentOfPane(pane: string): Promise<FoundAgent> {
  const owner = await agentInPane(pane);
  if (owner === null)
    throw new Fault('invalid', `pane ${pane} is not the pane of an agent`, 'name the agent; `baton status` shows them');
  return findAgent(owner.agent, owner.workspace);
}
