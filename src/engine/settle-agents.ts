// The agents of a request as the engine works with them. Their settings are frozen when the execution
// starts, so that a restarted engine runs what the first one would have.

import path from 'node:path';
import { readJson, writeJson } from '../files/write-file.ts';
import { AgentConfig } from '../protocol/agent.ts';
import type { ExecutionRequest } from '../protocol/request.ts';
import { placesOf } from '../request/check-places.ts';
import { placesIn } from '../run/workspace-places.ts';
import type { SettledAgent } from './context.ts';

const FrozenConfigs = {
  parse: (value: unknown) =>
    new Map(Object.entries(value as object).map(([name, config]) => [name, AgentConfig.parse(config)])),
};

export async function freezeConfigs(workspace: string, configs: ReadonlyMap<string, AgentConfig>): Promise<void> {
  await writeJson(placesIn(workspace).configs, Object.fromEntries(configs), { mode: 0o600 });
}

export async function settleAgents(request: ExecutionRequest, workspace: string): Promise<Map<string, SettledAgent>> {
  const configs = await readJson(placesIn(workspace).configs, FrozenConfigs);
  const places = placesOf(request, workspace).agents;
  return new Map(
    request.agents.map((agent, index) => {
      const config = configs.get(agent.agent_name)!;
      const cwd = folderOf(config, workspace, agent.agent_name);
      return [agent.agent_name, { request: agent, config, cwd, ...places[index]! }];
    }),
  );
}

const folderOf = (config: AgentConfig | undefined, workspace: string, agent: string): string =>
  config?.cwd === undefined ? `${placesIn(workspace).work}/${agent}` : path.resolve(workspace, config.cwd);

// Where an agent of an execution works, also long after it ended.
export async function agentFolder(workspace: string, agent: string): Promise<string> {
  const configs = await readJson(placesIn(workspace).configs, FrozenConfigs);
  return folderOf(configs.get(agent), workspace, agent);
}
