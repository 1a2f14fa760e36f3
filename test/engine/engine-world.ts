// A workspace on the real disk with small shell agents, run by the real engine in real tmux. Each test
// file has a tmux server, HOME and state of its own; at its end nothing of them may be left.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { openOwnServer } from './own-server.ts';

const own = openOwnServer();

export type AgentSpec = {
  name: string;
  script: string;
  needs?: string[];
  outputs?: Record<string, string>;
  inputs?: Record<string, string>;
  criteria?: Record<string, boolean | number | string>;
  config?: Record<string, unknown>;
  timeout?: number;
};

export type World = ReturnType<typeof makeWorld>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) {
    expect(leftBehind(folder), 'processes left behind').toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  }
});
afterAll(async () => {
  const traces = await own.end();
  expect(traces).toEqual([]);
});

// Removed after the test; no process of an execution below it may be left by then.
export function makeFolder(): string {
  const folder = mkdtempSync('/tmp/bw-');
  folders.push(folder);
  return folder;
}

export function makeWorld(agents: AgentSpec[], more: Record<string, unknown> = {}) {
  const folder = makeFolder();
  const workspace = path.join(folder, 'ws');
  mkdirSync(workspace);
  for (const { name, script, config } of agents) {
    const home = path.join(folder, 'agents', name);
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, 'work.sh'), script);
    writeFileSync(
      path.join(home, 'agent.json'),
      JSON.stringify({ provider: 'command', command: ['sh', 'work.sh'], ...config }),
    );
  }
  const request = {
    execution_id: `t-${path.basename(folder)}`,
    workspace_root: workspace,
    agents: agents.map(({ name, needs, outputs, inputs, criteria, timeout }) => ({
      agent_name: name,
      agent_path: path.join(folder, 'agents', name),
      task: {
        description: `do ${name}`,
        inputs: inputs ?? {},
        outputs: outputs ?? { out: `outputs/${name}.txt` },
        success_criteria: criteria ?? {},
      },
      dependencies: needs ?? [],
      timeout: timeout ?? 30,
    })),
    merge_strategy: { type: 'file_merge', conflict_resolution: 'manual_review' },
    ...more,
  };
  const file = path.join(folder, 'request.json');
  writeFileSync(file, JSON.stringify(request));
  return { folder, workspace, file, request, read: (name: string) => readFileSync(path.join(workspace, name), 'utf8') };
}

export const writeOut = 'echo "$BATON_AGENT" > "$BATON_OUTPUT_OUT"';

export async function waitFor<T>(look: () => T | null | undefined | false, ms = 45_000): Promise<T> {
  const until = performance.now() + ms;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > until) throw new Error(`nothing after ${ms} ms: ${look}`);
    await new Promise(resolve => setTimeout(resolve, 15));
  }
}

// Processes that carry this workspace, or one below this folder, in their environment: none may be left.
export function leftBehind(workspace: string): string[] {
  const { readdirSync } = process.getBuiltinModule('node:fs');
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`BATON_WORKSPACE=${workspace}`);
        return isOurs && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
          ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')]
          : [];
      } catch {
        return [];
      }
    });
}
