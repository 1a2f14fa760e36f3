// What runs in a pane. A provider turns an agent's settings into a command; everything else (panes,
// logs, proofs, retries) is the same for all of them.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentConfig } from '../protocol/agent.ts';
import { Fault } from '../protocol/fault.ts';

export type LaunchContext = { agentPath: string; config: AgentConfig };

export interface Provider {
  readonly name: AgentConfig['provider'];
  // Variables of the caller this kind of agent may see, besides the ones every agent gets.
  readonly variables: readonly string[];
  command(context: LaunchContext): Promise<string[]>;
}

const commandProvider: Provider = {
  name: 'command',
  variables: [],
  async command({ agentPath, config }) {
    if (!config.command)
      throw new Fault('invalid', `${agentPath}/agent.json has no "command"`, 'add one, as a list of words');
    return findInFolder(config.command, agentPath);
  },
};

const providers: readonly Provider[] = [commandProvider];

export const providerNames: string[] = providers.map(provider => provider.name);

export function providerOf(config: AgentConfig): Provider {
  const found = providers.find(provider => provider.name === config.provider);
  if (!found)
    throw new Fault(
      'invalid',
      `provider "${config.provider}" is not available`,
      `use one of: ${providerNames.join(', ')}`,
    );
  return found;
}

// Relative file names in a command are looked up in the agent's folder first.
export function findInFolder(command: readonly string[], folder: string): Promise<string[]> {
  return Promise.all(
    command.map(async word => {
      if (word === '' || word.startsWith('-') || path.isAbsolute(word) || word.split('/').includes('..')) return word;
      const candidate = path.join(folder, word);
      const isFile = await stat(candidate).then(
        found => found.isFile(),
        () => false,
      );
      return isFile ? candidate : word;
    }),
  );
}
