// `npm run bench`: what Baton costs beside a plain shell, as ratios measured in one run.
// Prints a Markdown table; a missed target is told, not hidden, and only a broken measurement ends with 1.

import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureDashboard } from './dashboard.mjs';
import { engineRun, engineSessions, plainLoop, plainSessions, xargs } from './fan-out.mjs';
import { watchPanes } from './watch-panes.mjs';
import { measureWatchdog } from './watchdog.mjs';
import { baton, bin, endWorld, makeWorld, node, run, writeRequest } from './world.mjs';

const COUNTS = [10, 50, 100];
const REPETITIONS = 3;
const STARTS = 7;
const LIMIT_MS = 290_000;

const rows = [];
const say = text => process.stderr.write(`bench: ${text}\n`);
const ms = value => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const times = value => `${value.toFixed(2)}x`;
const spread = (values, show) => `${show(Math.min(...values))} to ${show(Math.max(...values))}`;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function row(what, value, { show, range = '', below } = {}) {
  const verdict = below === undefined ? '' : value <= below ? 'pass' : 'MISS';
  const target = below === undefined ? '' : `at most ${show(below)}`;
  rows.push([what, show(value), range, target, verdict]);
}

// Rivals take turns inside each repetition, so that a busy moment of the machine meets all of them.
async function compare(rivals) {
  const taken = Object.fromEntries(Object.keys(rivals).map(name => [name, []]));
  for (let turn = 0; turn < REPETITIONS; turn++) {
    for (const [name, measure] of Object.entries(rivals)) taken[name].push(await measure());
  }
  return taken;
}

async function fanOut(world, count) {
  say(`${count} trivial agents`);
  const { plain, xargs2, engine } = await compare({
    plain: () => plainLoop(world, count),
    xargs2: () => xargs(world, count),
    engine: () => engineRun(world, count),
  });
  const ratios = engine.map((value, turn) => value / plain[turn]);
  const below = count === 100 ? 1.5 : undefined;
  row(`${count} agents: plain tmux loop`, median(plain), { show: ms, range: spread(plain, ms) });
  row(`${count} agents: xargs -P 2, no tmux`, median(xargs2), { show: ms, range: spread(xargs2, ms) });
  row(`${count} agents: baton run, request to report`, median(engine), { show: ms, range: spread(engine, ms) });
  row(`${count} agents: baton / plain loop`, median(ratios), { show: times, range: spread(ratios, times), below });
  row(`${count} agents: baton / xargs`, median(engine) / median(xargs2), { show: times });
  row(`${count} agents: overhead per agent`, (median(engine) - median(plain)) / count, { show: ms });
}

async function sessionsUp(world) {
  say('100 sessions up');
  const { plain, engine } = await compare({
    plain: () => plainSessions(world, 100),
    engine: () => engineSessions(world, 100),
  });
  const ratios = engine.map((value, turn) => value / plain[turn]);
  row('100 sessions up: plain loop', median(plain), { show: ms, range: spread(plain, ms) });
  row('100 sessions up: openSessions', median(engine), { show: ms, range: spread(engine, ms) });
  row('100 sessions up: engine / plain', median(ratios), { show: times, range: spread(ratios, times), below: 0.7 });
}

async function panes(world, agent) {
  say(`100 ${agent} panes, 10 s`);
  const used = await watchPanes(world, { count: 100, agent });
  const percent = value => `${value.toFixed(1)} %`;
  const mb = value => `${value.toFixed(0)} MB`;
  const isQuiet = agent === 'quiet';
  const cpu = isQuiet ? { show: percent, below: 3 } : { show: percent };
  const memory = isQuiet ? { show: mb, below: 120 } : { show: mb };
  row(`100 ${agent} panes: engine CPU, its tmux calls included`, used.engine.withChildren, cpu);
  row(`100 ${agent} panes: engine CPU, own process`, used.engine.own, { show: percent });
  row(`100 ${agent} panes: engine memory`, used.engine.rssMb, memory);
  row(`100 ${agent} panes: tmux server CPU`, used.tmux.own, { show: percent });
  row(`100 ${agent} panes: tmux server memory`, used.tmux.rssMb, { show: mb });
}

async function validate(world) {
  say('validate of 200 agents');
  const { file } = writeRequest(world, { id: 'v200', count: 200, agent: 'one-byte' });
  const bare = [];
  const full = [];
  for (let turn = 0; turn < STARTS; turn++) {
    bare.push(await clocked(() => run(world, node, ['-e', '0'])));
    full.push(await clocked(() => run(world, node, [bin, 'validate', '--request', file])));
  }
  row('node -e 0', median(bare), { show: ms, range: spread(bare, ms) });
  row('baton validate, 200 agents', median(full), { show: ms, range: spread(full, ms) });
  row('baton validate minus node -e 0', median(full) - median(bare), { show: ms, below: 150 });
}

async function clocked(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function printTable() {
  const tmux = spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout.trim();
  const load = os.loadavg().map(value => value.toFixed(1));
  const cpu = os.cpus()[0]?.model ?? 'unknown';
  const machine = `${os.cpus().length} cores (${cpu}), Linux ${os.release()}, Node ${process.versions.node}, ${tmux}`;
  const head = ['what', 'median', 'range', 'target', 'verdict'];
  const line = cells => `| ${cells.join(' | ')} |`;
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)];
  console.log(`${machine}; load ${loadBefore.join(' ')} before, ${load.join(' ')} after\n\n${table.join('\n')}`);
}

const loadBefore = os.loadavg().map(value => value.toFixed(1));

async function dashboard() {
  say('the dashboard, 60 agents changing 10 times a second, 60 s');
  const used = await measureDashboard({ seconds: 60 });
  const percent = value => `${(value * 100).toFixed(1)} %`;
  const mb = value => `${value.toFixed(0)} MB`;
  const kb = value => `${(value / 1000).toFixed(0)} kB/s`;
  row('dashboard: a change to the screen, p95', used.p95, {
    show: ms,
    range: `p50 ${ms(used.p50)}, n ${used.changes}`,
    below: 300,
  });
  row('dashboard: CPU, of one core', used.core, { show: percent, below: 0.15 });
  row('dashboard: CPU, nothing changes', used.idle.core, { show: percent });
  row('dashboard: written', used.bytesPerSecond, {
    show: kb,
    range: `nothing changes: ${kb(used.idle.bytesPerSecond)}`,
  });
  row('dashboard: memory', used.memoryEnd, { show: mb, range: `after 30 s ${mb(used.memoryHalf)}` });
}

async function measureAll(world) {
  say('warming up');
  await engineRun(world, 10); // fills the cache of compiled code, as any earlier use would have
  await baton(world, '--version');
  for (const count of COUNTS) await fanOut(world, count);
  await sessionsUp(world);
  await validate(world);
  await panes(world, 'quiet');
  await panes(world, 'printing');
  await measureWatchdog(row, say);
  await dashboard();
}

const world = makeWorld();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    endWorld(world);
    process.exit(130);
  });
}
try {
  const limit = sleep(LIMIT_MS, null, { ref: false }).then(() => {
    throw new Error(`not done after ${LIMIT_MS / 1000} s`);
  });
  await Promise.race([measureAll(world), limit]);
  printTable();
} catch (error) {
  say(`broke: ${error.stack}`);
  process.exitCode = 1;
} finally {
  endWorld(world);
  // Whatever a measurement that was given up still waits for must not hold this process.
  process.exit();
}
