// What runs in a pane. A provider turns an agent's settings into a command; everything else (panes,
// logs, proofs, retries) is the same for all of them.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isClaudeVariable } from '../claude/claude-environment.ts';
import { findClaude } from '../claude/find-claude.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import type { AgentConfig } from '../protocol/agent.ts';
import { Fault } from '../protocol/fault.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { headlessCommand, headlessVariables, type Note, prepareHeadless } from './headless-launch.ts';
import { newSession, prepareSession, sessionCommand } from './session-launch.ts';

export type Launch = { argv: string[]; env: Record<string, string> };

export interface Provider {
  readonly name: AgentConfig['provider'];
  // A session that is talked to while it runs (src/engine/tend-agent.ts).
  readonly isTended: boolean;
  // A Claude Code: it needs an account, and owes a result file.
  readonly isClaude: boolean;
  // Which variables of the caller this kind of agent may see, besides the ones every agent gets.
  isWanted(variable: string): boolean;
  // What must lie on the disk beyond what every attempt has. Safe to do twice. Answers with what is worth a word.
  prepare(context: EngineContext, agent: SettledAgent, attempt: number): Promise<Note[]>;
  // The pane's own command, launcher and all.
  launch(context: EngineContext, agent: SettledAgent, attempt: number): Promise<Launch>;
  // Where the launcher notes that it began, and how it ended.
  mark(workspace: string, agent: string, attempt: number): string;
}

const LAUNCHER = fileURLToPath(new URL('../../templates/agent.sh', import.meta.url));

const commandProvider: Provider = {
  name: 'command',
  isTended: false,
  isClaude: false,
  isWanted: () => false,
  prepare: async () => [],
  async launch(context, { agentPath, config, cwd, request }, attempt) {
    if (!config.command)
      throw new Fault('invalid', `${agentPath}/agent.json has no "command"`, 'add one, as a list of words');
    const { mark, logs } = attemptPlaces(context.places.workspace, request.agent_name, attempt);
    const command = await findInFolder(config.command, agentPath);
    return { argv: ['/bin/sh', LAUNCHER, mark, cwd, logs.stdout, logs.stderr, ...command], env: {} };
  },
  mark: (workspace, agent, attempt) => attemptPlaces(workspace, agent, attempt).mark,
};

const claudeProvider: Provider = {
  name: 'claude',
  isTended: true,
  isClaude: true,
  isWanted: isClaudeVariable,
  async prepare(context, agent, attempt) {
    // One that is not there fails this agent, not the whole execution.
    await findClaude(agent.config.claude_path, context.environment);
    await prepareSession(context, agent, attempt);
    return bypassNotes(agent);
  },
  launch: (context, agent, attempt) => sessionCommand(context, agent, { attempt, launch: 1, session: newSession() }),
  mark: (workspace, agent, attempt) => sessionPlaces(workspace, agent, attempt).launchMark(1),
};

const headlessProvider: Provider = {
  name: 'claude-headless',
  isTended: false,
  isClaude: true,
  isWanted: isClaudeVariable,
  prepare: async (context, agent, attempt) => [
    ...bypassNotes(agent),
    ...(await prepareHeadless(context, agent, attempt)),
  ],
  async launch(context, agent, attempt) {
    const { mark, logs } = attemptPlaces(context.places.workspace, agent.request.agent_name, attempt);
    const command = headlessCommand(context, agent, attempt);
    const argv = ['/bin/sh', LAUNCHER, mark, agent.cwd, logs.stdout, logs.stderr, ...command];
    return { argv, env: headlessVariables() };
  },
  mark: (workspace, agent, attempt) => attemptPlaces(workspace, agent, attempt).mark,
};

const providers: readonly Provider[] = [commandProvider, claudeProvider, headlessProvider];

function bypassNotes({ config }: SettledAgent): Note[] {
  if (config.permission_mode !== 'bypassPermissions') return [];
  const message = 'it ran with permission_mode "bypassPermissions": no tool call was asked about';
  return [{ message, severity: 'medium' }];
}

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
