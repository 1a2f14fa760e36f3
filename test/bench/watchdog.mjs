// What watching costs and how soon it knows, with 100 panes: the pushed status record and the screen alone, each beside a
// poller that runs `tmux capture-pane` for every pane twice a second. Part of `npm run bench`; alone:
//   node test/bench/watchdog.mjs
// The panes hold `sleep`; this process draws on their terminals, so that all rivals watch the same screens.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sideChannelSettings } from '../../src/receipts/side-channel-settings.ts';
import { nodeFlags } from '../../src/setup/paths.mjs';
import { startPayload, statusPayload, usedContext } from '../receipts/payloads.ts';
import { measureCycles } from './cycle.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const node = path.join(root, 'node_modules', 'node', 'bin', 'node');
const COUNT = 100;
const WINDOW_MS = 10_000;
const CHANGE_MS = 2500; // one status line each, as a working session has
const SPIN_MS = 100;
const BURST_MS = 5000; // what an agent prints: its screen is full of text, and a poller carries all of it
const BURST = Array.from(
  { length: 40 },
  (_, n) => `  ${n}  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);`,
).join('\r\n');
const OVER = 150_000;
const perSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const now = () => performance.timeOrigin + performance.now();

function ticksOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { own: fields[11] + fields[12], children: fields[13] + fields[14] };
}
const memoryMb = pid => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;
const at = (values, share) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

function makePanes() {
  const folder = mkdtempSync('/tmp/bw-');
  for (const name of ['run', 'state', 'home', 'work', 'transcripts'])
    mkdirSync(path.join(folder, name), { mode: 0o700 });
  writeFileSync(path.join(folder, 'work', 'baton.json'), JSON.stringify({ context_threshold: 100_000 }));
  const socket = path.join(folder, 's');
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', '-u', ...args], { encoding: 'utf8' });
  const words = Array.from({ length: COUNT - 1 }, () => [
    ';',
    'new-window',
    '-d',
    '-t',
    'b:',
    '--',
    'sleep',
    '600',
  ]).flat();
  tmux('new-session', '-d', '-s', 'b', '-x', '120', '-y', '40', '--', 'sleep', '600', ...words);
  const server = Number(tmux('display-message', '-p', '#{pid}'));
  const rows = tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid} #{pane_tty}').trim().split('\n');
  const panes = rows.map(row => {
    const [pane, pid, tty] = row.split(' ');
    const key = createHash('sha256').update(`${socket}\0${pane}`).digest('hex').slice(0, 16);
    const own = path.join(folder, 'state', 'watchdog', 'panes', key);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const channel = {
      receipts: path.join(own, 'receipts.ndjson'),
      record: path.join(own, 'status-record.json'),
      blockCompact: path.join(own, 'block-compact'),
      order: path.join(own, 'order'),
    };
    return {
      key,
      socket,
      pane,
      pid: Number(pid),
      folder: path.join(folder, 'work'),
      channel,
      tty: openSync(tty, 'w'),
      tokens: 45_000,
      changedAt: 0,
      session: '',
    };
  });
  return { folder, socket, server, panes };
}

const endPanes = world => {
  spawnSync('tmux', ['-S', world.socket, 'kill-server']);
  rmSync(world.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
};

// A new session of this pane: its first receipt, and a transcript whose last reply is over the threshold.
function begin(world, pane) {
  pane.session = randomUUID();
  pane.transcript = path.join(world.folder, 'transcripts', `${pane.session}.jsonl`);
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: OVER - 3,
    output_tokens: 9,
  };
  const line = {
    type: 'assistant',
    isSidechain: false,
    sessionId: pane.session,
    timestamp: new Date().toISOString(),
    message: { role: 'assistant', usage, content: [] },
  };
  writeFileSync(pane.transcript, `${JSON.stringify(line)}\n`);
  const told = { ...JSON.parse(startPayload('clear')), session_id: pane.session, transcript_path: pane.transcript };
  const receipt = { payload: told, event: 'SessionStart', tool: null, pane: pane.pane, session_id: pane.session };
  appendFileSync(pane.channel.receipts, `${JSON.stringify(receipt)}\n`);
}

// As Claude Code calls it: a shell, the payload on its stdin.
function callStatusLine(command, pane) {
  const context = { ...usedContext, total_input_tokens: OVER };
  const payload = statusPayload(context, { session_id: pane.session, transcript_path: pane.transcript });
  const child = spawn('/bin/sh', ['-c', command], {
    env: {
      PATH: process.env.PATH,
      BATON_PANE: pane.pane,
      BATON_RECEIPTS: pane.channel.receipts,
      BATON_STATUS_RECORD: pane.channel.record,
      CLAUDE_CODE_SESSION_ID: pane.session,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(payload);
}

// Spinner and status line of all panes, drawn until told to stop; a change of figure is noted in the pane.
function draw(world, onChange) {
  let turn = 0;
  const spin = setInterval(() => {
    turn += 1;
    for (const pane of world.panes) writeSync(pane.tty, `\x1b[38;1H\x1b[2K${'·✢✳✶'[turn % 4]} Working… (${turn})`);
  }, SPIN_MS);
  const print = pane => writeSync(pane.tty, `\x1b[1;37r\x1b[37;1H\r\n${BURST}\x1b[r`);
  for (const pane of world.panes) print(pane);
  let printed = 0;
  const burst = setInterval(() => print(world.panes[printed++ % COUNT]), BURST_MS / COUNT);
  const changes = world.panes.map((pane, index) => {
    const change = () => {
      // Over the threshold and back: what a watcher is to notice is the way up.
      pane.isUp = !pane.isUp;
      pane.tokens = pane.isUp ? OVER + Math.floor(Math.random() * 800) : 45_000;
      writeSync(pane.tty, `\x1b[40;1H\x1b[2K  context: ${(pane.tokens / 1000).toFixed(1)}k tokens (23%)`);
      pane.changedAt = now();
      onChange?.(pane);
    };
    const timer = { stop: () => {} };
    const first = setTimeout(
      () => {
        change();
        const each = setInterval(change, CHANGE_MS / 2);
        timer.stop = () => clearInterval(each);
      },
      (index * CHANGE_MS) / 2 / COUNT,
    );
    return () => {
      clearTimeout(first);
      timer.stop();
    };
  });
  return () => {
    clearInterval(spin);
    clearInterval(burst);
    for (const stop of changes) stop();
  };
}

async function measured(world, pids, work) {
  const before = [world.server, process.pid, ...pids].map(ticksOf);
  const from = performance.now();
  const done = await work();
  const seconds = (performance.now() - from) / 1000;
  const after = [world.server, process.pid, ...pids].map(ticksOf);
  const used = (index, key) => ((after[index][key] - before[index][key]) / perSecond / seconds) * 60;
  const others = pids.map((_, index) => used(index + 2, 'own') + used(index + 2, 'children'));
  return {
    ...done,
    server: used(0, 'own'),
    forks: used(1, 'children'),
    watchers: others.reduce((sum, one) => sum + one, 0),
  };
}

async function base(world) {
  const stop = draw(world);
  const used = await measured(world, [], () => sleep(WINDOW_MS).then(() => ({})));
  stop();
  return used.server;
}

// The rival: one process for each pane and look, four at a time, twice a second.
const POLLER = `
  const { execFile } = require('node:child_process');
  const [socket, ...panes] = process.argv.slice(1);
  const seen = new Map();
  const look = pane => new Promise(done => execFile('tmux', ['-S', socket, 'capture-pane', '-p', '-t', pane], (_, text) => {
    const found = /context: ([0-9.]+)k/.exec(text ?? '')?.[1];
    if (found !== undefined && found !== seen.get(pane)) {
      if (seen.has(pane)) process.stdout.write(pane + ' ' + (performance.timeOrigin + performance.now()) + '\\n');
      seen.set(pane, found);
    }
    done();
  }));
  const round = async () => {
    const from = performance.now();
    const left = [...panes];
    await Promise.all(Array.from({ length: 4 }, async () => { while (left.length > 0) await look(left.shift()); }));
    setTimeout(round, Math.max(0, 500 - (performance.now() - from)));
  };
  round();`;

const byPane = (world, child, take) => {
  const known = new Map(world.panes.map(pane => [pane.pane, pane]));
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [pane, ms] = line.split(' ');
      take(known.get(pane), Number(ms));
    }
  });
};

async function poller(world) {
  const taken = [];
  const child = spawn(node, ['-e', POLLER, world.socket, ...world.panes.map(({ pane }) => pane)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = draw(world);
  await sleep(2000);
  byPane(world, child, (pane, ms) => taken.push(ms - pane.changedAt));
  const used = await measured(world, [child.pid], () => sleep(WINDOW_MS).then(() => ({})));
  stop();
  child.kill('SIGKILL');
  return { ...used, taken };
}

async function pushed(world) {
  const taken = [];
  const list = path.join(world.folder, 'panes.json');
  writeFileSync(list, JSON.stringify(world.panes));
  for (const pane of world.panes) begin(world, pane);
  const child = spawn(
    node,
    [path.join(root, 'test', 'bench', 'watch-child.mjs'), root, path.join(world.folder, 'state', 'watchdog'), list],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { command } = sideChannelSettings(path.join(root, 'templates', 'claude')).statusLine;
  byPane(world, child, (pane, ms) => {
    if (pane.calledAt === undefined || ms < pane.calledAt) return;
    taken.push(ms - pane.calledAt);
    pane.calledAt = undefined;
  });
  await sleep(2000);
  const stop = draw(world, pane => {
    // Each period: a session begins, and half a period later its status line is called.
    if (!pane.isUp) return begin(world, pane);
    if (pane.calledAt !== undefined) taken.push(now() - pane.calledAt); // not seen at all: at least this late
    pane.calledAt = now();
    callStatusLine(command, pane);
  });
  await sleep(2000);
  taken.length = 0;
  const used = await measured(world, [child.pid], () => sleep(WINDOW_MS).then(() => ({})));
  stop();
  child.kill('SIGKILL');
  return { ...used, taken };
}

async function screens(world) {
  const taken = [];
  const { watchScreens } = await import(path.join(root, 'dist', 'tmux', 'watch-screens.js'));
  const known = new Map(world.panes.map(pane => [pane.pane, pane]));
  const from = ticksOf(process.pid).own;
  const watch = await watchScreens(world.socket, 'b', {
    over: 100_000,
    onChange: (id, isOver) => {
      const pane = known.get(id);
      if (isOver && pane?.isUp) taken.push(now() - pane.changedAt);
    },
  });
  const stop = draw(world);
  await sleep(2000);
  taken.length = 0;
  const used = await measured(world, [watch.pid], () => sleep(WINDOW_MS).then(() => ({})));
  stop();
  watch.close();
  return { ...used, taken, own: ticksOf(process.pid).own - from };
}

// The whole process, as people run it, with panes in which nothing happens.
async function quiet(world) {
  const adopted_at = new Date().toISOString();
  const panes = world.panes.map(({ socket, pane, pid, folder }) => ({
    socket,
    pane,
    pid,
    folder,
    role: 'agent',
    adopted_at,
    has_hooks: true,
  }));
  writeFileSync(path.join(world.folder, 'state', 'watchdog', 'adopted.json'), JSON.stringify({ version: 1, panes }));
  for (const pane of world.panes) {
    rmSync(pane.channel.receipts, { force: true });
    begin(world, pane);
  }
  const env = {
    PATH: process.env.PATH,
    HOME: path.join(world.folder, 'home'),
    BATON_RUNTIME_DIR: path.join(world.folder, 'run'),
    BATON_STATE_DIR: path.join(world.folder, 'state'),
  };
  const child = spawn(node, [...nodeFlags, path.join(root, 'dist', 'watchdog', 'main.js')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await sleep(8000);
  const status = JSON.parse(readFileSync(path.join(world.folder, 'state', 'watchdog', 'status.json'), 'utf8'));
  if (status.panes.length !== COUNT) throw new Error(`the watchdog follows ${status.panes.length} of ${COUNT} panes`);
  const used = await measured(world, [child.pid], () => sleep(WINDOW_MS).then(() => ({ mb: memoryMb(child.pid) })));
  child.kill('SIGTERM');
  await sleep(500);
  return used;
}

export async function measureWatchdog(row, say) {
  const ms = value => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const cpu = value => `${value.toFixed(1)} CPU-s/min`;
  const share = value => `${value.toFixed(2)}x`;
  const world = makePanes();
  try {
    say('100 panes: quiet watchdog');
    const still = await quiet(world);
    row('watchdog, 100 quiet panes: CPU, its tmux calls included', still.watchers / 0.6, {
      show: value => `${value.toFixed(1)} %`,
      below: 2,
    });
    row('watchdog, 100 quiet panes: memory', still.mb, { show: value => `${value.toFixed(0)} MB`, below: 100 });
    say('5 whole handoffs');
    const own = await measureCycles(5);
    const range = `${ms(Math.min(...own))} to ${ms(Math.max(...own))}, n ${own.length}`;
    row("a handoff, all time that is not the model's, p50", at(own, 0.5), { show: ms, range, below: 2000 });
    say('100 busy panes: nobody, the poller, the pushed record, the screen');
    const server = await base(world);
    const rival = await poller(world);
    const polled = rival.watchers + rival.server - server;
    row('100 busy panes: poller, screen to notice, p99', at(rival.taken, 0.99), {
      show: ms,
      range: `p50 ${ms(at(rival.taken, 0.5))}, n ${rival.taken.length}`,
    });
    row('100 busy panes: poller', polled, { show: cpu });
    const ours = await pushed(world);
    const push = ours.watchers + ours.forks + Math.max(0, ours.server - server);
    row('100 busy panes: status-line call to decision, p99', at(ours.taken, 0.99), {
      show: ms,
      range: `p50 ${ms(at(ours.taken, 0.5))}, n ${ours.taken.length}`,
      below: 25,
    });
    row('100 busy panes: watching by record, status-line program included', push, {
      show: cpu,
      range: `watcher ${ours.watchers.toFixed(1)}, programs ${ours.forks.toFixed(1)}`,
    });
    row('100 busy panes: record / poller, CPU', push / polled, { show: share, below: 0.2 });
    const shown = await screens(world);
    const seen = shown.watchers + Math.max(0, shown.server - server);
    row('100 busy panes: screen alone, change to notice, p99', at(shown.taken, 0.99), {
      show: ms,
      range: `p50 ${ms(at(shown.taken, 0.5))}, n ${shown.taken.length}`,
      below: 1100,
    });
    row('100 busy panes: screen alone', seen, { show: cpu });
    row('100 busy panes: screen / poller, CPU', seen / polled, { show: share, below: 0.1 });
  } finally {
    endPanes(world);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const row = (what, value, { show, range = '', below } = {}) =>
    console.log(
      `| ${what} | ${show(value)} | ${range} | ${below === undefined ? '' : `at most ${show(below)} | ${value <= below ? 'pass' : 'MISS'}`} |`,
    );
  await measureWatchdog(row, text => process.stderr.write(`bench: ${text}\n`));
  process.exit();
}
