// One pane the watchdog follows, and everything it needs to know about it from the outside.

import type { SettingTexts } from '../src/protocol/config.ts';
import type { PaneIdentity } from '../src/tmux/pane-door.ts';

export type Channel = { receipts: string; record: string; blockCompact: string; order: string };

export type WatchedPane = {
  key: string; // short hash of socket and pane
  identity: PaneIdentity;
  name: string; // as people know it: "tests of exec-1", or "%7"
  kind: 'engine' | 'adopted';
  role: 'agent' | 'orchestrator';
  folder: string; // the project: where the session works
  channel: Channel | null; // null: no hooks there
  configFolder?: string | undefined; // where its Claude Code keeps transcripts, for a pane without hooks
  contract: { resultFile: string; outputs: readonly string[] } | null; // what an agent of an execution owes
  workspace: string | null; // of its execution; null: no agent of one
  documentPath: string | null; // engine agents: docs/handoff/<agent>.md, for the index; null: none known
  task: string | null; // what it goes on with after /clear; null: what its document says
  agent: string | null; // its name in a request, for settings of its own
  cap: string | null; // where the engine reads that it is handed off no more
  maxCostUsd: number | null;
  costs: string | null; // what all its sessions cost, as the engine adds it up
  settings?: SettingTexts | undefined; // given by flags and variables when it was started or adopted
  lacks: string[]; // proofs this pane cannot give
};
