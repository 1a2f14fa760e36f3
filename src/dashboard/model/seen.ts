// Everything the dashboard knows at one moment, as the feed gathered it from files. Plain values only.

import type { WatchdogStatus } from '../../protocol/handoff.ts';
import type { ContextReading, Status } from '../../protocol/status.ts';

export type Point = { at: number; tokens: number };

export type SeenConflict = { id: string; path: string; agents: readonly string[] };

// Last known, also of agents that ended.
export type ClaudeFigures = {
  context: ContextReading | null;
  costUsd: number | null; // of all attempts
  unknownCosts: number; // attempts that nobody measured
  sessions: readonly string[]; // of attempts that ended
};

export type SeenExecution = {
  id: string;
  workspace: string;
  status: Status;
  hasEngine: boolean;
  tasks: ReadonlyMap<string, string>; // agent to the first words of its task
  claude: ReadonlyMap<string, ClaudeFigures>; // agents that are Claude Code
  thresholds: ReadonlyMap<string, number>; // by the settings in force; what the watchdog says counts more
  conflicts: readonly SeenConflict[]; // what a person has to decide
};

export type SeenWatchdog = { state: 'on' | 'silent' | 'off'; status: WatchdogStatus | null };

export type Seen = {
  executions: readonly SeenExecution[];
  watchdog: SeenWatchdog;
  tmux: 'up' | 'gone' | 'unknown';
  ownSocket: string; // of Baton's own tmux server
  histories: ReadonlyMap<string, readonly Point[]>; // of the context, by the key of the row
  thresholds: ReadonlyMap<string, number>; // last known, also of those that ended
};

export const agentKey = (workspace: string, agent: string): string => `${workspace}\u0000${agent}`;
export const paneRowKey = (socket: string, pane: string): string => `${socket}\u0000${pane}`;

export const nothingSeen = (ownSocket: string): Seen => ({
  executions: [],
  watchdog: { state: 'off', status: null },
  tmux: 'unknown',
  ownSocket,
  histories: new Map(),
  thresholds: new Map(),
});
