// Small values for the tests of the model and of the views.

import type { Seen, SeenExecution } from '../../src/dashboard/model/seen.ts';
import type { AgentLine, ClaudeLine } from '../../src/protocol/status.ts';

export const NOW = Date.parse('2026-01-02T10:05:00Z');
const START = '2026-01-02T10:00:00.000Z';

export const claude = (changes: Partial<ClaudeLine> = {}): ClaudeLine => ({
  state: 'busy',
  session_id: 's-1',
  context: { tokens: 40_000, window: 200_000, source: 'record', session_id: 's-1', at: START },
  cost_usd: 0.5,
  nudges: 0,
  restarts: 0,
  question: null,
  parked: null,
  held_by: null,
  sources: {},
  ...changes,
});

export const agent = (agent_name: string, changes: Partial<AgentLine> = {}): AgentLine => ({
  agent_name,
  status: 'running',
  attempt: 1,
  tmux_session: `${agent_name}-1`,
  pane: '%1',
  start_time: START,
  end_time: null,
  last_line: `${agent_name} works`,
  note: null,
  dependencies: [],
  claude: claude(),
  ...changes,
});

export const question = {
  kind: 'permission' as const,
  title: 'Bash command\nrm -r build\nDo you want to proceed?',
  options: [
    { number: 1, label: 'Yes' },
    { number: 2, label: "Yes, and don't ask again" },
    { number: 3, label: 'No, tell it what to do' },
  ],
  digest: 'abcdef0123456789abcdef',
  asked_at: START,
};

export function seen(agents: AgentLine[], changes: Partial<SeenExecution> = {}, more: Partial<Seen> = {}): Seen {
  const known = agents.flatMap(({ agent_name, claude: line }) =>
    line === null
      ? []
      : [[agent_name, { context: line.context, costUsd: line.cost_usd, unknownCosts: 0, sessions: [] }] as const],
  );
  return {
    executions: [
      {
        id: 'exec-1',
        workspace: '/w',
        status: {
          execution_id: 'exec-1',
          status: 'running',
          phase: 'execute',
          paused: false,
          updated_at: START,
          start_time: START,
          engine_pid: 1,
          workspace_root: '/w',
          counts: { pending: 0, running: 0, parked: 0, success: 0, failure: 0, timeout: 0, skipped: 0 },
          note: null,
          agents,
        },
        hasEngine: true,
        tasks: new Map(agents.map(({ agent_name }) => [agent_name, `the task of ${agent_name}`])),
        claude: new Map(known),
        thresholds: new Map(),
        conflicts: [],
        ...changes,
      },
    ],
    watchdog: { state: 'off', status: null },
    tmux: 'up',
    ownSocket: '/run/tmux.sock',
    histories: new Map(),
    thresholds: new Map(),
    ...more,
  };
}
