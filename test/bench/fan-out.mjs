// How long many things take: trivial agents from request to report, and sessions until they exist,
// each against what a person would write in a shell.

import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { baton, endServer, root, run, start, workScript, writeRequest } from './world.mjs';

// $1 socket, $2 config, $3 how many; the rest is the command, which gets the running number as $N.
const LOOP =
  'n=1; while [ "$n" -le "$3" ]; do tmux -S "$1" -f "$2" new-session -d -s "s$n" -x 200 -y 50 -- /bin/sh "$4" "$5/$n" || exit 1; n=$((n+1)); done';
const SLEEP_LOOP =
  'n=1; while [ "$n" -le "$3" ]; do tmux -S "$1" -f "$2" new-session -d -s "s$n" -x 200 -y 50 -- sleep 30 || exit 1; n=$((n+1)); done';
const XARGS = 'seq "$1" | xargs -P 2 -I{} /bin/sh "$2" "$3/{}"';

let serial = 0;

async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function freshFolder(world, name) {
  const folder = path.join(world.folder, `${name}-${++serial}`);
  mkdirSync(folder);
  return folder;
}

// Every rival starts its tmux server itself, as the engine does.
export async function plainLoop(world, count) {
  const out = freshFolder(world, 'plain');
  const socket = path.join(world.folder, `p${serial}.sock`);
  world.sockets.add(socket);
  const config = path.join(world.folder, 'plain.conf');
  const ms = await timed(async () => {
    const loop = start(world, '/bin/sh', ['-c', LOOP, 'sh', socket, config, String(count), workScript(world), out]);
    const { code, text } = await loop.ended;
    if (code !== 0) throw new Error(`the plain loop failed: ${text}`);
    while (readdirSync(out).length < count) await sleep(2);
  });
  endServer(world, socket);
  return ms;
}

export async function xargs(world, count) {
  const out = freshFolder(world, 'xargs');
  const ms = await timed(() => run(world, '/bin/sh', ['-c', XARGS, 'sh', String(count), workScript(world), out]));
  if (readdirSync(out).length !== count) throw new Error('xargs did not make all outputs');
  return ms;
}

export async function engineRun(world, count) {
  const { file, workspace } = writeRequest(world, { id: `e${++serial}`, count, agent: 'one-byte' });
  const ms = await timed(() => baton(world, 'run', '--request', file, '--quiet'));
  if (readdirSync(path.join(workspace, 'out')).length !== count) throw new Error('the engine did not make all outputs');
  return ms;
}

export async function plainSessions(world, count) {
  const socket = path.join(world.folder, `s${++serial}.sock`);
  world.sockets.add(socket);
  const config = path.join(world.folder, 'plain.conf');
  const ms = await timed(() => run(world, '/bin/sh', ['-c', SLEEP_LOOP, 'sh', socket, config, String(count)]));
  endServer(world, socket);
  return ms;
}

// The engine's own call, in this process: what it costs once the engine runs.
export async function engineSessions(world, count) {
  const runtime = path.join(world.folder, `r${++serial}`);
  process.env.BATON_RUNTIME_DIR = runtime;
  world.sockets.add(path.join(runtime, 'tmux.sock'));
  const { connectTmux } = await import(path.join(root, 'dist', 'tmux', 'tmux-cli.js'));
  const tmux = connectTmux(path.join(root, 'templates', 'tmux.conf'));
  const logs = freshFolder(world, 'logs');
  const specs = Array.from({ length: count }, (_, index) => ({
    session: `s${index + 1}`,
    tags: { execution: 'bench', workspace: logs, agent: `a${index + 1}`, attempt: 1 },
    env: { BATON_AGENT: `a${index + 1}` },
    command: ['sleep', '30'],
    rawLog: path.join(logs, `${index + 1}.log`),
  }));
  const ms = await timed(async () => {
    const { opened, complaint } = await tmux.openSessions(specs);
    if (opened.length !== count) throw new Error(`only ${opened.length} sessions opened: ${complaint}`);
  });
  endServer(world, path.join(runtime, 'tmux.sock'));
  return ms;
}
