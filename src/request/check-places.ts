// Where a request reads and writes, judged from facts that were looked up before (see load-request.ts).
// Pure: what is on the disk comes in as PathFacts. Compared are real paths, never the texts.

import path from 'node:path';
import type { AgentConfig } from '../protocol/agent.ts';
import type { ExecutionRequest, Problem } from '../protocol/request.ts';
import { checkInputs } from './check-inputs.ts';
import { checkOutputs, isWithin } from './check-outputs.ts';
import type { PathFact, PathFacts, Place } from './place-tree.ts';
import { listOf, quote, toPath } from './quote.ts';

export type { PathFacts } from './place-tree.ts';

// Names in the workspace that Baton itself writes.
export const RESERVED: readonly string[] = [
  '.baton',
  'logs',
  'tmux',
  'merged',
  'merged.tmp',
  'checkpoint',
  'attempts',
  'merge',
  'runs',
  'status.json',
  'execution_report.json',
  'execution_request.json',
  'execution_request.rejected.json',
  'events.ndjson',
  'conflicts.json',
];

export type AgentPlaces = { agentPath: string; inputs: Record<string, string>; outputs: Record<string, string> };
export type ReadConfig = { config: AgentConfig | null; problems: Problem[] };
export type Surroundings = {
  workspace: string;
  realWorkspace: string;
  roots: string[]; // real; the workspace is one of them
  requestFile: string | null; // real
  facts: PathFacts;
  agentConfigs: Map<string, ReadConfig>; // by absolute agent_path
  providers: string[];
};

// Absolute paths of everything the request names; `all` is what must be looked at.
export function placesOf(request: ExecutionRequest, workspace: string): { agents: AgentPlaces[]; all: string[] } {
  const at = (text: string) => path.resolve(workspace, text);
  const slots = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([slot, text]) => [slot, at(text)]));
  const agents = request.agents.map(({ agent_path, task }) => ({
    agentPath: at(agent_path),
    inputs: slots(task.inputs),
    outputs: slots(task.outputs),
  }));
  const named = agents.flatMap(agent => [
    agent.agentPath,
    ...Object.values(agent.inputs),
    ...Object.values(agent.outputs),
  ]);
  return { agents, all: [...new Set([workspace, ...RESERVED.map(at), ...named])] };
}

export function checkPlaces(request: ExecutionRequest, o: Surroundings): Problem[] {
  const { agents } = placesOf(request, o.workspace);
  const factOf = (place: string): PathFact => o.facts.get(place) ?? { real: place, kind: null, readable: false };
  const placed = (kind: 'inputs' | 'outputs'): Place[] =>
    agents.flatMap((agent, index) =>
      Object.entries(agent[kind]).map(([slot, place]) => {
        return { agent: index, name: request.agents[index]!.agent_name, slot, path: place, fact: factOf(place) };
      }),
    );
  const unusable = workspaceProblem(o, factOf(o.workspace));
  if (unusable !== null) return [unusable];
  const outputs = placed('outputs');
  const folders = agents.map((agent, index) => ({
    name: request.agents[index]!.agent_name,
    real: factOf(agent.agentPath).real,
  }));
  return [
    ...reservedProblems(o, factOf),
    ...agents.flatMap((agent, index) => folderProblems(index, agent.agentPath, factOf(agent.agentPath))),
    ...configProblems(agents, o, factOf),
    ...checkInputs(request, placed('inputs'), outputs),
    ...checkOutputs(outputs, { ...o, reserved: RESERVED, folders }),
  ];
}

// Without a usable workspace no other place can be judged.
function workspaceProblem(o: Surroundings, { kind, trouble }: PathFact): Problem | null {
  const refuse = (message: string, cure: string): Problem => ({ path: 'workspace_root', message, cure });
  const shown = `workspace_root (${quote(o.workspace)})`;
  if (o.realWorkspace === '/') return refuse(`${shown} is the whole disk`, 'name a folder for this execution alone');
  if (trouble !== undefined) return refuse(`${shown} ${trouble}`, 'name a folder you can reach');
  if (kind === 'folder' || kind === null) return null;
  return refuse(`${shown} exists but is no folder`, 'name a folder, or one that does not exist yet');
}

// Logs and merges go through these names: a link left there by an earlier agent must not carry them away.
function reservedProblems(o: Surroundings, factOf: (place: string) => PathFact): Problem[] {
  return RESERVED.flatMap(name => {
    const { real } = factOf(path.resolve(o.workspace, name));
    if (o.roots.some(root => isWithin(real, root))) return [];
    const message = `${quote(name)} in the workspace is a symlink that leads outside, to ${quote(real)}`;
    return [{ path: 'workspace_root', message, cure: 'remove that symlink; Baton writes there' }];
  });
}

function folderProblems(index: number, folder: string, fact: PathFact): Problem[] {
  const refuse = (message: string, cure: string): Problem[] => [
    { path: toPath(['agents', index, 'agent_path']), message, cure },
  ];
  if (fact.trouble !== undefined)
    return refuse(`the agent folder ${quote(folder)} ${fact.trouble}`, 'name a folder you can reach');
  if (fact.kind === null) {
    return refuse(
      `the agent folder ${quote(folder)} does not exist`,
      'create it or correct the path; a relative one starts at workspace_root',
    );
  }
  if (fact.kind !== 'folder') return refuse(`${quote(folder)} is no folder`, 'name the folder that holds agent.json');
  if (!fact.readable)
    return refuse(`the agent folder ${quote(folder)} may not be read`, 'give yourself the right to read it');
  return [];
}

// Agents may share a folder: what is wrong with its agent.json is said once, at the first of them.
function configProblems(
  agents: readonly AgentPlaces[],
  o: Surroundings,
  factOf: (place: string) => PathFact,
): Problem[] {
  const said = new Set<string>();
  return agents.flatMap(({ agentPath }, index) => {
    const read = o.agentConfigs.get(agentPath);
    if (read === undefined || said.has(agentPath) || factOf(agentPath).kind !== 'folder') return [];
    said.add(agentPath);
    const file = quote(path.join(agentPath, 'agent.json'));
    const where = toPath(['agents', index, 'agent_path']);
    const wrong = read.problems.map(problem => ({
      path: where,
      message: `${file}${problem.path === '' ? '' : ` at ${problem.path}`}: ${problem.message}`,
      cure: problem.cure,
    }));
    return read.config === null
      ? wrong
      : [...wrong, ...providerProblems(read.config, file, o.providers).map(said => ({ path: where, ...said }))];
  });
}

function providerProblems(config: AgentConfig, file: string, providers: string[]): Omit<Problem, 'path'>[] {
  const example = '"provider": "command" and "command": ["./run.sh"]';
  if (!providers.includes(config.provider)) {
    const message = `the provider ${quote(config.provider)} of this agent is not available yet; available: ${listOf(providers.map(quote), 'and')}`;
    return [{ message, cure: `set ${example} in ${file}` }];
  }
  if (config.provider === 'command' && config.command === undefined) {
    return [
      { message: `${file} has the provider "command", but no "command"`, cure: `add what to run, e.g. ${example}` },
    ];
  }
  return [];
}
