// What can still be judged of a request whose shape is wrong, so that one wrong key does not hide a cycle
// elsewhere. The result is only for checking, never for running: what was unreadable is left out.

import type { AgentRequest, ExecutionRequest } from '../protocol/request.ts';
import { PathText, SlotName } from '../protocol/text.ts';

const MAX_AGENTS = 1000;
const AGENT_KEYS = new Set(['agent_name', 'agent_path', 'task', 'dependencies', 'timeout']);

type Loose = Record<string, unknown>;

// workspace_root is '' when it cannot be read: then no place can be judged.
export function salvageRequest(value: unknown): ExecutionRequest | null {
  if (!isObject(value) || !Array.isArray(value.agents) || value.agents.length > MAX_AGENTS) return null;
  const found: unknown[] = value.agents;
  const names = found.map(nameOf);
  const known = names.every(name => name !== null) ? null : new Set(names);
  return {
    execution_id: '',
    workspace_root: pathOr(value.workspace_root, ''),
    agents: found.map((agent, index) =>
      salvageAgent(isObject(agent) ? agent : {}, names[index] ?? `agents[${index}]`, known),
    ),
    merge_strategy: {
      type: 'ctxpack_union',
      conflict_resolution: 'manual_review',
      validation: { semantic_consistency: true, schema_validation: true },
    },
    execution_options: {
      parallel_limit: 1,
      retry_on_failure: false,
      max_retries: 0,
      checkpoint_enabled: false,
      log_level: 'info',
    },
  };
}

// `known` is given when some name cannot be read: then a dependency that nobody has may be that one.
function salvageAgent(agent: Loose, name: string, known: Set<string | null> | null): AgentRequest {
  const task = isObject(agent.task) ? agent.task : {};
  const listed: unknown[] = Array.isArray(agent.dependencies) ? agent.dependencies : [];
  const dependencies = listed.filter(need => typeof need === 'string' && (known === null || known.has(need)));
  // A mistyped "dependencies" would make every hand-over between agents look forbidden.
  const isSure =
    Object.keys(agent).every(key => AGENT_KEYS.has(key)) && dependencies.length === listed.length && known === null;
  return {
    agent_name: name,
    agent_path: pathOr(agent.agent_path, `unreadable path of ${name}`),
    task: {
      description: '',
      inputs: isSure ? slotsOf(task.inputs) : {},
      outputs: slotsOf(task.outputs),
      success_criteria: {},
    },
    dependencies: dependencies as string[],
    timeout: 1,
  };
}

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf = (agent: unknown) => (isObject(agent) && typeof agent.agent_name === 'string' ? agent.agent_name : null);

const pathOr = (value: unknown, other: string) => (isPath(value) ? value : other);

const isPath = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && PathText.safeParse(value).success;

function slotsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  const good = Object.entries(value).filter(([slot, path]) => SlotName.safeParse(slot).success && isPath(path));
  return Object.fromEntries(good) as Record<string, string>;
}
