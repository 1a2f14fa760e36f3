// The smallest good request, as a value to be changed by tests.

export type LooseAgent = {
  agent_name: string;
  agent_path: string;
  task: { description: string; inputs: Record<string, string>; outputs: Record<string, string> };
  dependencies: string[];
};

export function agent(
  name: string,
  more: Partial<LooseAgent['task']> & { needs?: string[]; path?: string } = {},
): LooseAgent {
  return {
    agent_name: name,
    agent_path: more.path ?? 'agent',
    task: { description: 'work', inputs: more.inputs ?? {}, outputs: more.outputs ?? {} },
    dependencies: more.needs ?? [],
  };
}

export function smallRequest(...agents: LooseAgent[]) {
  return { execution_id: 'exec-1', workspace_root: '.', agents: agents.length === 0 ? [agent('a')] : agents };
}
