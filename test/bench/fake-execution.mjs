// An execution as its files show it, without an engine: for looking at many agents that change often. What is
// written is what an engine would write; the dashboard reads nothing else.

import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const states = ['running', 'running', 'running', 'running', 'parked', 'pending', 'success', 'failure'];

export function fakeExecution({ folder, id = 'exec-load', agents = 60, state = null }) {
  const workspace = path.join(folder, id);
  mkdirSync(workspace, { recursive: true });
  const registry = path.join(folder, 'state', 'executions');
  mkdirSync(registry, { recursive: true });
  const started = new Date(Date.now() - 65_000).toISOString();
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 24);
  writeFileSync(path.join(registry, `${name}.json`), JSON.stringify({ id, workspace, startedAt: started }));
  const names = Array.from({ length: agents }, (_, at) => `agent-${String(at).padStart(2, '0')}`);
  const request = {
    execution_id: id,
    workspace_root: workspace,
    agents: names.map((agent_name, at) => ({
      agent_name,
      agent_path: 'agents/x',
      task: {
        description: `Part ${at} of the work: read, think, write and prove it`,
        outputs: { out: `outputs/${at}.txt` },
        inputs: {},
        success_criteria: {},
      },
      dependencies: at < 4 ? [] : [names[at % 4]],
      timeout: 3600,
    })),
    merge_strategy: {
      type: 'file_merge',
      conflict_resolution: 'manual_review',
      validation: { semantic_consistency: true, schema_validation: true },
    },
    execution_options: {
      parallel_limit: 60,
      retry_on_failure: true,
      max_retries: 2,
      checkpoint_enabled: false,
      log_level: 'info',
    },
  };
  const first = {
    id: 1,
    time: started,
    type: 'execution_started',
    agent: null,
    data: { request, request_sha256: '0', workspace_root: workspace, allow_roots: [], trusted: [] },
  };
  writeFileSync(path.join(workspace, 'events.ndjson'), `${JSON.stringify(first)}\n`);

  const line = (at, round, change = {}) => {
    const status = state ?? states[at % states.length];
    const isLive = status === 'running' || status === 'parked';
    const isOver = !isLive && status !== 'pending';
    return {
      agent_name: names[at],
      status,
      attempt: status === 'pending' ? 0 : 1 + (at % 11 === 3 ? 1 : 0),
      tmux_session: isLive ? `${names[at]}-x` : null,
      pane: isLive ? `%${at}` : null,
      start_time: status === 'pending' ? null : started,
      end_time: isOver ? new Date(Date.parse(started) + 40_000).toISOString() : null,
      last_line:
        status === 'pending' ? null : `round ${round} of ${names[at]}: reading src/part-${(round * 7 + at) % 97}.ts`,
      note: status === 'failure' ? 'the output "out" is missing' : null,
      dependencies: request.agents[at].dependencies,
      claude: isLive
        ? {
            state: 'busy',
            session_id: `s-${at}`,
            context: {
              tokens: 20_000 + ((round * 900 + at * 2500) % 110_000),
              window: 200_000,
              source: 'record',
              session_id: `s-${at}`,
              at: new Date().toISOString(),
            },
            cost_usd: 0.01 * ((round + at) % 400),
            nudges: 0,
            restarts: 0,
            question: null,
            parked: status === 'parked' ? { reason: 'the account is used up', until: null } : null,
            held_by: null,
            sources: {},
          }
        : null,
      ...change,
    };
  };

  let round = 0;
  return {
    workspace,
    names,
    line,
    write(changes = {}, more = {}) {
      round += 1;
      const lines = names.map((agent, at) => line(at, round, changes[agent]));
      const counts = { pending: 0, running: 0, parked: 0, success: 0, failure: 0, timeout: 0, skipped: 0 };
      for (const { status } of lines) counts[status] += 1;
      const status = {
        execution_id: id,
        status: 'running',
        phase: 'execute',
        paused: false,
        updated_at: new Date().toISOString(),
        start_time: started,
        engine_pid: process.pid,
        workspace_root: workspace,
        counts,
        note: null,
        agents: lines,
        ...more,
      };
      const temp = path.join(workspace, '.tmp-status');
      writeFileSync(temp, JSON.stringify(status));
      renameSync(temp, path.join(workspace, 'status.json'));
      return round;
    },
  };
}
