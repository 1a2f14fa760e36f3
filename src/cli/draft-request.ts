// What was asked or given for a new request → the request as a value. Pure.

import path from 'node:path';
import { Fault } from '../protocol/fault.ts';

export type Draft = {
  id: string;
  workspace: string;
  agents: { name: string; task: string; needs: string[]; output: string; folder: string }[];
};

export const defaultOutput = (name: string): string => `outputs/${name}.md`;

export function requestOf({ id, workspace, agents }: Draft, now: string) {
  return {
    execution_id: id,
    request_timestamp: now,
    workspace_root: workspace,
    agents: agents.map(({ name, task, needs, output, folder }) => ({
      agent_name: name,
      agent_path: folder,
      task: { description: task, inputs: inputsOf(needs, agents), outputs: { result: output }, success_criteria: {} },
      dependencies: needs,
      timeout: 3600,
    })),
    merge_strategy: { type: 'file_merge', conflict_resolution: 'manual_review' },
    execution_options: { parallel_limit: 4, retry_on_failure: true, max_retries: 2, checkpoint_enabled: true },
  };
}

// Who waits for somebody reads what that one made.
const inputsOf = (needs: readonly string[], agents: Draft['agents']): Record<string, string> =>
  Object.fromEntries(
    needs.flatMap(need => {
      const maker = agents.find(each => each.name === need);
      return maker === undefined ? [] : [[need.replaceAll(/[^A-Za-z0-9_-]/g, '_'), maker.output] as const];
    }),
  );

export function draftOf(o: {
  id: string;
  folder: string;
  workspace: string;
  agents: string[];
  needs: string[];
  outputs: string[];
  paths: string[];
}): Draft {
  const [needs, outputs, paths] = [pairs(o.needs, 'needs'), pairs(o.outputs, 'output'), pairs(o.paths, 'path')];
  const named = pairs(o.agents, 'agent');
  for (const [option, given] of [
    ['needs', needs],
    ['output', outputs],
    ['path', paths],
  ] as const)
    for (const name of given.keys())
      if (!named.has(name))
        throw new Fault(
          'invalid',
          `--${option} names "${name}", but no --agent is called so`,
          `add --agent "${name}=its task"`,
        );
  const agents = [...named].map(([name, task]) => ({
    name,
    task,
    needs: (needs.get(name) ?? '')
      .split(',')
      .map(need => need.trim())
      .filter(Boolean),
    output: outputs.get(name) ?? defaultOutput(name),
    folder: path.resolve(o.folder, paths.get(name) ?? `agents/${name}`),
  }));
  return { id: o.id, workspace: o.workspace, agents };
}

function pairs(texts: readonly string[], option: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    if (at < 1 || value === '')
      throw new Fault(
        'invalid',
        `--${option} is "${text}", not NAME=VALUE`,
        `write for example: --${option} "builder=…"`,
      );
    if (found.has(name)) throw new Fault('invalid', `--${option} names "${name}" twice`, 'name each agent once');
    found.set(name, value);
  }
  return found;
}
