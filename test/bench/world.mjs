// A world of the bench's own: one short temporary folder with runtime and state folders, the trivial agents,
// and every process started in it. Built-in modules only, so that nothing but Baton itself is measured.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../../src/setup/paths.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const node = path.join(root, 'node_modules', 'node', 'bin', 'node');
export const bin = path.join(root, 'dist', 'cli', 'bin.js');

// The same program for every rival: one byte into the file it is given.
const ONE_BYTE = '[ $# -gt 0 ] || set -- "$BATON_OUTPUT_OUT"; printf x > "$1"\n';
const PRINTING = 'i=0; while [ "$i" -lt 40 ]; do echo "line $i of a pane that prints"; i=$((i+1)); sleep 0.5; done\n';

export function makeWorld() {
  // Not os.tmpdir(): on some machines it is so long that a socket path would not fit below it.
  const folder = mkdtempSync('/tmp/bb-');
  const places = { run: 'run', state: 'state', home: 'home' };
  for (const name of Object.values(places)) mkdirSync(path.join(folder, name), { mode: 0o700 });
  const env = {
    ...process.env,
    HOME: path.join(folder, 'home'),
    BATON_RUNTIME_DIR: path.join(folder, 'run'),
    BATON_STATE_DIR: path.join(folder, 'state'),
    BATON_WATCHDOG: 'off',
  };
  for (const name of ['TMUX', 'TMUX_PANE', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']) delete env[name];
  const world = { folder, env, children: new Set(), sockets: new Set([path.join(folder, 'run', 'tmux.sock')]) };
  makeAgent(world, 'one-byte', ['/bin/sh', 'work.sh'], ONE_BYTE);
  makeAgent(world, 'quiet', ['sleep', '20']);
  makeAgent(world, 'printing', ['/bin/sh', 'work.sh'], PRINTING);
  // A plain server would end between two agents that are over at once; ours does not either.
  writeFileSync(path.join(folder, 'plain.conf'), 'set -s exit-empty off\n');
  return world;
}

function makeAgent(world, name, command, script) {
  const folder = path.join(world.folder, 'agents', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'agent.json'), JSON.stringify({ provider: 'command', command }));
  writeFileSync(path.join(folder, 'AGENT.md'), `# ${name}\n`);
  if (script !== undefined) writeFileSync(path.join(folder, 'work.sh'), script);
}

export const workScript = world => path.join(world.folder, 'agents', 'one-byte', 'work.sh');

// A request of `count` agents that depend on nobody; checkpoint and merge as Baton does them by default.
export function writeRequest(world, { id, count, agent }) {
  const workspace = path.join(world.folder, id);
  const names = Array.from({ length: count }, (_, index) => `a${index + 1}`);
  const request = {
    execution_id: id,
    workspace_root: workspace,
    agents: names.map(name => ({
      agent_name: name,
      agent_path: path.join(world.folder, 'agents', agent),
      task: { description: 'one of many', outputs: agent === 'one-byte' ? { out: `out/${name}.txt` } : {} },
    })),
    execution_options: { parallel_limit: Math.min(count, 256) },
  };
  const file = path.join(world.folder, `${id}.json`);
  writeFileSync(file, JSON.stringify(request));
  return { file, workspace };
}

// Starts a program; `ended` resolves to { code, text } where text is everything it said.
export function start(world, file, args) {
  const child = spawn(file, args, { env: world.env, cwd: world.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  world.children.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk));
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      world.children.delete(child);
      resolve({ code, text });
    });
  });
  return { child, ended };
}

export async function run(world, file, args) {
  const { code, text } = await start(world, file, args).ended;
  if (code !== 0)
    throw new Error(`${path.basename(file)} ${args.join(' ').slice(0, 200)} ended with ${code}:\n${text}`);
  return text;
}

export const baton = (world, ...args) => run(world, node, [...nodeFlags, bin, ...args]);

export function endServer(world, socket) {
  world.sockets.add(socket);
  spawnSync('tmux', ['-S', socket, 'kill-server'], { env: world.env, stdio: 'ignore' });
}

export function endWorld(world) {
  for (const child of world.children) child.kill('SIGKILL');
  for (const socket of world.sockets) endServer(world, socket);
  rmSync(world.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
