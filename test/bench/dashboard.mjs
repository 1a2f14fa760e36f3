// The dashboard under load: 60 agents that change ten times a second, on a real terminal of 200x50. Measures how
// soon a change is on the screen, what it costs, what it writes and whether its memory grows.
// Alone: `node test/bench/dashboard.mjs [seconds]` after a build.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fakeExecution } from './fake-execution.mjs';

const { spawn } = createRequire(import.meta.url)('node-pty');
const built = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const TICKS_A_SECOND = 100; // of /proc/<pid>/stat on Linux
const WARM_UP_MS = 4000;
const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];

export async function measureDashboard({
  seconds = 60,
  agents = 60,
  perSecond = 10,
  cols = 200,
  rows = 50,
  bin = built,
} = {}) {
  const folder = mkdtempSync('/tmp/bd-');
  for (const name of ['run', 'state']) mkdirSync(path.join(folder, name), { mode: 0o700 });
  const world = fakeExecution({ folder, agents, state: 'running' });
  // The first agent's last line is eight times the letter of the round: no part of it survives a change, so that
  // a terminal that is only sent what changed is sent the whole of it.
  const letters = [];
  const pending = new Map();
  let at = 0;
  const write = () => {
    const letter = String.fromCharCode(65 + (at % 26));
    at += 1;
    letters.push(letter);
    pending.set(at, performance.now());
    world.write({ [world.names[0]]: { last_line: letter.repeat(8) } });
  };
  write();
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    BATON_RUNTIME_DIR: path.join(folder, 'run'),
    BATON_STATE_DIR: path.join(folder, 'state'),
  };
  const client = spawn(process.execPath, ['--max-semi-space-size=4', bin, 'dashboard'], {
    cols,
    rows,
    name: 'xterm-256color',
    env,
  });
  const latencies = [];
  let bytes = 0;
  let frames = 0;
  client.onData(text => {
    bytes += Buffer.byteLength(text);
    frames += 1;
    const letter = /([A-Z])\1{7}/.exec(text)?.[1];
    if (letter === undefined) return;
    const shown = letters.lastIndexOf(letter) + 1;
    for (const [round, since] of pending) {
      if (round > shown) break;
      latencies.push(performance.now() - since);
      pending.delete(round);
    }
  });
  const timer = setInterval(write, 1000 / perSecond);
  try {
    await sleep(WARM_UP_MS);
    latencies.length = 0;
    const [bytesBefore, framesBefore, ticksBefore, begun] = [bytes, frames, ticks(client.pid), performance.now()];
    await sleep((seconds * 1000) / 2);
    const memoryHalf = memory(client.pid);
    await sleep((seconds * 1000) / 2);
    const took = (performance.now() - begun) / 1000;
    return {
      p50: quantile(latencies, 0.5),
      p95: quantile(latencies, 0.95),
      changes: latencies.length,
      core: (ticks(client.pid) - ticksBefore) / TICKS_A_SECOND / took,
      bytesPerSecond: (bytes - bytesBefore) / took,
      writesPerSecond: (frames - framesBefore) / took,
      memoryHalf,
      memoryEnd: memory(client.pid),
      idle: await idle(client, () => bytes, timer),
    };
  } finally {
    clearInterval(timer);
    const ended = new Promise(resolve => client.onExit(resolve));
    client.kill();
    await Promise.race([ended, sleep(5000)]);
    rmSync(folder, { recursive: true, force: true });
  }
}

// Nothing changes any more: what does looking cost then? (The clock of running agents goes on.)
async function idle(client, bytes, timer) {
  clearInterval(timer);
  await sleep(1000);
  const [before, ticksBefore] = [bytes(), ticks(client.pid)];
  await sleep(4000);
  return { core: (ticks(client.pid) - ticksBefore) / TICKS_A_SECOND / 4, bytesPerSecond: (bytes() - before) / 4 };
}

function ticks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const memory = pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [seconds = '60', bin = built] = process.argv.slice(2);
  process.stdout.write(`${JSON.stringify(await measureDashboard({ seconds: Number(seconds), bin }), null, 2)}\n`);
}
