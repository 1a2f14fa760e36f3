// What the engine and its tmux server use while a hundred panes are open: CPU over ten seconds from
// /proc/<pid>/stat, memory as the largest VmRSS seen. Linux only, as /proc is.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlags } from '../../src/setup/paths.mjs';
import { baton, bin, node, start, writeRequest } from './world.mjs';

const WINDOW_MS = 10_000;
const SETTLE_MS = 2000;
const UP_MS = 15_000;

export async function watchPanes(world, { count, agent }) {
  const { file, workspace } = writeRequest(world, { id: `w-${agent}`, count, agent });
  const engine = start(world, node, [...nodeFlags, bin, 'run', '--request', file, '--quiet']);
  await untilRunning(workspace, count);
  await sleep(SETTLE_MS);
  const socket = path.join(world.env.BATON_RUNTIME_DIR, 'tmux.sock');
  const server = Number(execFileSync('tmux', ['-S', socket, 'display-message', '-p', '#{pid}'], { encoding: 'utf8' }));
  const used = await watch({ engine: engine.child.pid, tmux: server });
  await baton(world, 'cancel', workspace).catch(() => {});
  await engine.ended;
  return used;
}

async function untilRunning(workspace, count) {
  const until = performance.now() + UP_MS;
  while (performance.now() < until) {
    try {
      const { agents } = JSON.parse(readFileSync(path.join(workspace, 'status.json'), 'utf8'));
      if (agents.filter(agent => agent.status === 'running' && agent.pane).length === count) return;
    } catch {
      // Not written yet.
    }
    await sleep(20);
  }
  throw new Error(`${count} agents were not running after ${UP_MS / 1000} s`);
}

async function watch(pids) {
  const names = Object.keys(pids);
  const from = performance.now();
  const before = Object.fromEntries(names.map(name => [name, ticksOf(pids[name])]));
  const rss = Object.fromEntries(names.map(name => [name, 0]));
  while (performance.now() - from < WINDOW_MS) {
    for (const name of names) rss[name] = Math.max(rss[name], memoryMb(pids[name]));
    await sleep(250);
  }
  const seconds = (performance.now() - from) / 1000;
  return Object.fromEntries(
    names.map(name => {
      const after = ticksOf(pids[name]);
      const percent = key => ((after[key] - before[name][key]) / perSecond / seconds) * 100;
      return [name, { own: percent('own'), withChildren: percent('own') + percent('children'), rssMb: rss[name] }];
    }),
  );
}

const perSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

// Children count once they have ended: the engine's calls to tmux do, within milliseconds.
function ticksOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { own: fields[11] + fields[12], children: fields[13] + fields[14] };
}

const memoryMb = pid => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;
