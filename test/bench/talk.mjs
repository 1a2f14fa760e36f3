// What talking to Claude Code costs: spawn to proven ready, deliver to receipt (1 and 8 sessions at once), and the
// memory of Baton per agent. Real Claude Code, practice model, real tmux:
//   node test/bench/talk.mjs [prompts for each session]
// Prints a table in Markdown; judges nothing. The CPU of status line and hooks is test/bench/status-line.mjs.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver } from '../../src/claude/deliver.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import { claude, openSession } from '../claude/open-session.ts';

const prompts = Number(process.argv[2] ?? 40);
const root = path.resolve(import.meta.dirname, '../..');
const kinds = [60, 2000, 20_000];

const rows = [];
for (const count of [1, 8]) rows.push(...(await talkTo(count)));
rows.push(...(await memory([1, 8])));
console.log(`Claude Code 2.1.326, ${prompts} prompts to each session in turns of 60 B, 2 kB and 20 kB\n`);
console.log('| | p50 | p99 | largest | n |\n|---|---:|---:|---:|---:|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);

async function talkTo(count) {
  const practice = await startPractice({ script: 'agent' });
  const opened = await Promise.all(Array.from({ length: count }, () => openSession(practice.url)));
  try {
    const taken = await Promise.all(opened.map(session => say(session)));
    const received = taken.flat();
    const at = `${count} ${count === 1 ? 'agent' : 'agents at once'}`;
    return [
      figures(
        `spawn to proven ready, ${at}`,
        opened.map(session => session.readyMs),
      ),
      figures(`deliver to receipt and begun turn, ${at}`, received),
    ];
  } finally {
    for (const session of opened) session.end();
    await practice.close();
  }
}

async function say({ pane, ear }) {
  const taken = [];
  for (let n = 0; n < prompts; n += 1) {
    const text = `${n} ${'words and more words '.repeat(1000).slice(0, kinds[n % kinds.length])}`;
    const said = await deliver(pane, ear, text, { waitMs: 30_000 });
    if (said.outcome !== 'submitted') throw new Error(`${said.outcome}: ${said.why}`);
    taken.push(said.took_ms);
  }
  return taken;
}

function figures(name, values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share => `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])} ms`;
  return [name, at(0.5), at(0.99), at(1), sorted.length];
}

// Of the engine's own process, while its agents think: with none, with one, with eight.
async function memory(counts) {
  const none = await engineMemory(0);
  const with_ = [];
  for (const count of counts) with_.push([count, await engineMemory(count)]);
  return with_.map(([count, mb]) => {
    const each = ((mb - none) / count).toFixed(1);
    return [
      `memory of the engine with ${count} Claude Code agent${count === 1 ? '' : 's'}`,
      `${mb.toFixed(0)} MB`,
      '',
      `${each} MB each`,
      1,
    ];
  });
}

async function engineMemory(count) {
  const folder = mkdtempSync('/tmp/bm-');
  const at = (...names) => path.join(folder, ...names);
  const practice = await startPractice({ script: 'slow', set: { seconds: 60 } });
  const names = Array.from({ length: count }, (_, n) => `a${n}`);
  const idle = { agent_name: 'idle', agent_path: at('idle'), task: taskOf('idle'), dependencies: [], timeout: 300 };
  for (const name of ['idle', 'claude', 'run', 'state']) mkdirSync(at(name), { mode: 0o700 });
  for (const name of names) mkdirSync(at('ws', 'work', name), { recursive: true });
  writeFileSync(at('idle', 'agent.json'), JSON.stringify({ provider: 'command', command: ['sleep', '300'] }));
  writeFileSync(at('claude', 'agent.json'), JSON.stringify({ provider: 'claude', claude_path: claude }));
  await seedPracticeHome(at('config'), { trusted: names.map(name => at('ws', 'work', name)) });
  const agents = names.map(name => ({ ...idle, agent_name: name, agent_path: at('claude'), task: taskOf(name) }));
  const request = {
    execution_id: 'bench',
    workspace_root: at('ws'),
    agents: [idle, ...agents],
    merge_strategy: { type: 'file_merge' },
    execution_options: { parallel_limit: count + 1 },
  };
  writeFileSync(at('request.json'), JSON.stringify(request));
  const bin = path.join(root, 'dist/cli/bin.js');
  const home = {
    HOME: folder,
    BATON_WATCHDOG: 'off',
    BATON_RUNTIME_DIR: at('run'),
    BATON_STATE_DIR: at('state'),
    PATH: process.env.PATH,
  };
  const env = { ...home, LANG: 'C.UTF-8', ...practiceEnvironment(practice.url, at('config')) };
  const engine = spawn(process.execPath, [bin, 'run', at('request.json')], { env, stdio: 'ignore' });
  try {
    const until = performance.now() + 60_000;
    while (practice.requests().filter(({ kind }) => kind === 'prompt').length < count) {
      if (performance.now() > until) throw new Error('the agents did not begin within 60 s');
      await sleep(200);
    }
    await sleep(10_000); // to where it stays
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))[1]) / 1024;
  } finally {
    engine.kill('SIGINT');
    await new Promise(resolve => engine.once('exit', resolve));
    await practice.close();
    spawn('tmux', ['-S', at('run', 'tmux.sock'), 'kill-server'], { stdio: 'ignore' });
    await sleep(500);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function taskOf(name) {
  return { description: 'think', inputs: {}, outputs: { out: `outputs/${name}.md` }, success_criteria: {} };
}
