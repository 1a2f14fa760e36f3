// What every part of one running engine shares: the settled agents of the request, and the doors to the world.

import type { Clock } from '../clock/clock.ts';
import type { Redactor } from '../files/redact.ts';
import type { MemoryWatch } from '../process/watch-memory.ts';
import type { AgentConfig } from '../protocol/agent.ts';
import type { AgentRequest } from '../protocol/request.ts';
import type { Places } from '../run/workspace-places.ts';
import type { Tmux } from '../tmux/tmux.ts';

export type SettledAgent = {
  request: AgentRequest;
  agentPath: string;
  config: AgentConfig;
  cwd: string;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
};

export type EngineContext = {
  executionId: string;
  places: Places;
  roots: string[];
  trusted: string[]; // folders the operator named with --trust
  agents: ReadonlyMap<string, SettledAgent>;
  tmux: Tmux;
  memory: MemoryWatch;
  clock: Clock;
  redactor: Redactor;
  environment: Readonly<Record<string, string | undefined>>;
};
