// The command line as a process of its own, with its own HOME, state and tmux server, and requests of
// small shell agents to give to it.

import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Ended = { code: number | null; stdout: string; stderr: string };
export type Agent = {
  name: string;
  script: string;
  needs?: string[];
  outputs?: Record<string, string>;
  inputs?: Record<string, string>;
};

// A busy machine is slow, not broken: limits are for what would never end.
const LIMIT_MS = 80_000;
export const patience = { testTimeout: 100_000, hookTimeout: 100_000 };
export const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
export const writes = 'echo "by $BATON_AGENT" > "$BATON_OUTPUT_OUT"';

export function makeCliWorld() {
  const folder = mkdtempSync('/tmp/bc-');
  const at = (...parts: string[]) => path.join(folder, ...parts);
  for (const name of ['home', 'run', 'state']) mkdirSync(at(name), { mode: 0o700 });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: at('home'),
    BATON_RUNTIME_DIR: at('run'),
    BATON_STATE_DIR: at('state'),
    BATON_WATCHDOG: 'off',
  };

  function start(args: readonly string[], more: Record<string, string> = {}) {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', text => {
      said.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      said.stderr += text;
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', code => resolve({ code, ...said }));
    });
    return { child, said, ended };
  }

  // An execution "<id>" in <folder>/<id>/ws; returns the path of its request.
  function request(id: string, agents: readonly Agent[], more: Record<string, unknown> = {}): string {
    const home = at(id);
    for (const { name, script } of agents) {
      mkdirSync(path.join(home, 'agents', name), { recursive: true });
      writeFileSync(path.join(home, 'agents', name, 'work.sh'), script);
      const config = { provider: 'command', command: ['sh', 'work.sh'] };
      writeFileSync(path.join(home, 'agents', name, 'agent.json'), JSON.stringify(config));
    }
    const file = path.join(home, 'request.json');
    const value = {
      execution_id: id,
      workspace_root: path.join(home, 'ws'),
      agents: agents.map(({ name, needs, outputs, inputs }) => ({
        agent_name: name,
        agent_path: path.join(home, 'agents', name),
        task: { description: `do ${name}`, inputs: inputs ?? {}, outputs: outputs ?? { out: `outputs/${name}.txt` } },
        dependencies: needs ?? [],
        timeout: 30,
      })),
      merge_strategy: { type: 'file_merge', conflict_resolution: 'manual_review' },
      execution_options: { max_retries: 0 },
      ...more,
    };
    writeFileSync(file, JSON.stringify(value));
    return file;
  }

  return {
    folder,
    at,
    env,
    start,
    request,
    run: (...args: string[]): Promise<Ended> => start(args).ended,
    report: (id: string) => JSON.parse(readFileSync(at(id, 'ws', 'execution_report.json'), 'utf8')),
    end: () => {
      // Every server of this world, wherever its socket is; one that was left would live for ever.
      // Some sockets are no server of tmux, and a frozen program behind one would never answer.
      for (const socket of socketsUnder(folder)) spawnSync('tmux', ['-S', socket, 'kill-server'], { timeout: 5000 });
      // What ends just now may still write its last files.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

const socketsUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => path.join(folder, name))
    .filter(file => lstatSync(file, { throwIfNoEntry: false })?.isSocket());

export async function until(look: () => boolean, what: string | (() => string), limitMs = 60_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!look()) {
    if (performance.now() > end)
      throw new Error(`not after ${limitMs} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}
