// A status to look at, and the pieces to change it.

import type { AgentLine, Status } from '../../src/protocol/status.ts';

export const START = Date.parse('2026-01-02T10:00:00Z');

export function toAgent(name: string, changes: Partial<AgentLine> = {}): AgentLine {
  return {
    agent_name: name,
    status: 'pending',
    attempt: 0,
    tmux_session: null,
    pane: null,
    start_time: null,
    end_time: null,
    last_line: null,
    note: null,
    dependencies: [],
    claude: null,
    ...changes,
  };
}

export const toRunning = (name: string, lastLine: string | null = null): AgentLine =>
  toAgent(name, { status: 'running', attempt: 1, start_time: '2026-01-02T10:00:00Z', last_line: lastLine });

export function toStatus(agents: AgentLine[], changes: Partial<Status> = {}): Status {
  return {
    execution_id: 'exec-1',
    status: 'running',
    phase: 'execute',
    paused: false,
    updated_at: '2026-01-02T10:00:00Z',
    start_time: '2026-01-02T10:00:00Z',
    engine_pid: 1,
    workspace_root: '/w',
    counts: { pending: 0, running: 0, parked: 0, success: 0, failure: 0, timeout: 0, skipped: 0 },
    note: null,
    agents,
    ...changes,
  };
}
