// The variables an agent gets: a short list by name, never the caller's whole environment. Pure.

import type { AgentConfig } from '../protocol/agent.ts';
import { variableName } from '../request/check-graph.ts';

const EVERY_AGENT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TERM',
  'COLORTERM',
  'TZ',
  'TMPDIR',
];

export type AgentTask = {
  executionId: string;
  agent: string;
  attempt: number;
  workspace: string;
  agentPath: string;
  taskFile: string;
  resultFile: string;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
};

type Variables = Readonly<Record<string, string | undefined>>;

export function agentEnvironment(
  task: AgentTask,
  config: AgentConfig,
  caller: Variables,
  isWanted: (variable: string) => boolean,
): Record<string, string> {
  const env: Record<string, string> = {};
  const more = Object.keys(caller).filter(name => name.startsWith('LC_') || isWanted(name));
  for (const name of [...EVERY_AGENT, ...more, ...config.env]) {
    // TERM is tmux's to say: the pane is no terminal of the caller's.
    if (caller[name] !== undefined && name !== 'TERM') env[name] = caller[name];
  }
  return { ...env, ...taskVariables(task) };
}

export function taskVariables(task: AgentTask): Record<string, string> {
  const slots = (kind: 'INPUT' | 'OUTPUT', paths: Record<string, string>) =>
    Object.fromEntries(Object.entries(paths).map(([slot, path]) => [variableName(kind, slot), path]));
  return {
    BATON_EXECUTION_ID: task.executionId,
    BATON_AGENT: task.agent,
    BATON_ATTEMPT: String(task.attempt),
    BATON_WORKSPACE: task.workspace,
    BATON_AGENT_PATH: task.agentPath,
    BATON_TASK_FILE: task.taskFile,
    BATON_RESULT_FILE: task.resultFile,
    ...slots('INPUT', task.inputs),
    ...slots('OUTPUT', task.outputs),
  };
}
