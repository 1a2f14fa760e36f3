// Which panes are to be watched just now: the Claude Code sessions on Baton's own tmux server and the adopted
// ones. One tmux call for each server. A server that gives no answer says nothing about its panes.

import path from 'node:path';
import { sessionPlaces } from '../src/claude/session-places.ts';
import { taskPrompt } from '../src/conversation/prompts.ts';
import { exists, readJson } from '../src/files/write-file.ts';
import { handoffPlaces } from '../src/project/handoff-places.ts';
import { loadSettings } from '../src/project/load-settings.ts';
import { type AgentConfig, TaskFile } from '../src/protocol/agent.ts';
import type { SettingTexts } from '../src/protocol/config.ts';
import { type AdoptedPane, GivenSettings } from '../src/protocol/handoff.ts';
import { attemptPlaces, placesIn } from '../src/run/workspace-places.ts';
import { runTmux } from '../src/tmux/run-tmux.ts';
import { tmuxSocket } from '../src/tmux/runtime.ts';
import { paneKey } from '../src/watching/watchdog-places.ts';
import { watchedFrom } from './adopted.ts';
import type { WatchedPane } from './watched-pane.ts';

export type Found = {
  // By key. `given`: how it was adopted; adopted in another way, it is followed anew.
  panes: Map<string, { pid: number; given: string; describe(): Promise<WatchedPane | null> }>;
  failed: Map<string, string>; // sockets that gave no answer, and why
};

type Row = { pane: string; pid: number; tags: string; path: string };

const FORMAT = '#{pane_id} #{pane_pid} #{pane_dead} [#{@baton_tags}] #{pane_current_path}';
const ROW = /^(%\d+) (\d+) 0 \[([^\]]*)\] (.*)$/;

export async function findPanes(adopted: readonly AdoptedPane[]): Promise<Found> {
  const own = tmuxSocket();
  const sockets = new Set([own, ...adopted.map(({ socket }) => socket)]);
  const found: Found = { panes: new Map(), failed: new Map() };
  await Promise.all(
    [...sockets].map(async socket => {
      const rows = await listPanes(socket);
      if (typeof rows === 'string') found.failed.set(socket, rows);
      else for (const row of rows) take(row, socket);
    }),
  );
  return found;

  function take(row: Row, socket: string): void {
    const { pane, pid } = row;
    const key = paneKey(socket, pane);
    // The very process it was given with: on a new server the same number is another pane.
    const given = adopted.find(each => each.socket === socket && each.pane === pane && each.pid === pid);
    if (given !== undefined)
      found.panes.set(key, {
        pid,
        given: JSON.stringify({ ...given, adopted_at: null }),
        describe: () => watchedFrom(given),
      });
    else if (socket === own && row.tags !== '')
      found.panes.set(key, { pid, given: '', describe: () => describeAgent(row, socket) });
  }
}

// The panes; or why they could not be asked for.
async function listPanes(socket: string): Promise<Row[] | string> {
  try {
    const answer = await runTmux({ socket, args: ['list-panes', '-a', '-F', FORMAT] });
    if (answer.ok) return answer.stdout.split('\n').flatMap(parseRow);
    const isGone = /no server running|No such file|no current target/.test(answer.stderr);
    return isGone ? [] : answer.stderr.trim() || 'no answer';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parseRow(line: string): Row[] {
  const match = ROW.exec(line);
  return match === null ? [] : [{ pane: match[1]!, pid: Number(match[2]), tags: match[3]!, path: match[4]! }];
}

// Null: no Claude Code session, or none that has reported yet. Asked again at the next look.
async function describeAgent(row: Row, socket: string): Promise<WatchedPane | null> {
  const [agent, attempt, execution, encoded] = row.tags.split(' ');
  if (!agent || !execution || !encoded) return null;
  const workspace = Buffer.from(encoded, 'base64url').toString();
  const places = sessionPlaces(workspace, agent, Number(attempt));
  // Its launcher has moved to the agent's folder by the time the first hook reports.
  if (!(await exists(places.receipts))) return null;
  const { taskFile, resultFile } = attemptPlaces(workspace, agent, Number(attempt));
  const task = await readJson(taskFile, TaskFile).catch(() => null);
  const settings = await readJson(placesIn(workspace).settings, GivenSettings).catch(() => ({}));
  return {
    key: paneKey(socket, row.pane),
    identity: { socket, pane: row.pane, pid: row.pid },
    name: `${agent} of ${execution}`,
    kind: 'engine',
    role: 'agent',
    folder: row.path,
    channel: {
      receipts: places.receipts,
      record: places.record,
      blockCompact: places.blockCompact,
      order: path.join(places.folder, 'order'),
    },
    contract: { resultFile: task?.result_file ?? resultFile, outputs: Object.values(task?.outputs ?? {}) },
    workspace,
    documentPath: await documentOf(row.path, agent, settings),
    task: task === null ? null : taskPrompt(task), // with every path: /clear forgets those too
    agent,
    cap: places.cap,
    costs: places.costs,
    maxCostUsd: await maxCostOf(workspace, agent),
    settings,
    lacks: [],
  };
}

// Null: the settings or the places cannot be used; the handoff itself says why.
const documentOf = (folder: string, agent: string, flags: SettingTexts): Promise<string | null> =>
  loadSettings(folder, { flags })
    .then(loaded => handoffPlaces(loaded, { folder, agent }))
    .then(
      places => places.documentPath,
      () => null,
    );

const Configs = { parse: (value: unknown) => value as Record<string, Partial<AgentConfig> | undefined> };

// Frozen when the execution began.
async function maxCostOf(workspace: string, agent: string): Promise<number | null> {
  const configs = await readJson(placesIn(workspace).configs, Configs).catch(() => null);
  return configs?.[agent]?.max_cost_usd ?? null;
}
