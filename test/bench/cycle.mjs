// How much of a handoff is the watchdog's own time: whole cycles with the real Claude Code on the practice model, less
// the time from each prompt's receipt to the model's last request of that turn. Part of `npm run bench`; alone:
//   node test/bench/cycle.mjs [cycles]

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { deliver } from '../../src/claude/deliver.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import { watchPane } from '../../watchdog/watch-pane.ts';
import { openSession } from '../claude/open-session.ts';

const THRESHOLD = 60_000;
const CYCLE_MS = 60_000;

export async function measureCycles(count) {
  const practice = await startPractice({ script: 'grower', set: { start: 30_000, step: 20_000 } });
  const session = await openSession(practice.url);
  const at = (...parts) => path.join(session.folder, ...parts);
  const git = (...args) => execFileSync('git', args, { cwd: at('work'), stdio: 'ignore' });
  mkdirSync(at('state'));
  writeFileSync(at('work', 'baton.json'), JSON.stringify({ context_threshold: THRESHOLD }));
  git('init', '-q', '-b', 'main');
  for (const [name, value] of [
    ['user.name', 'Bench'],
    ['user.email', 'bench@localhost'],
  ])
    git('config', name, value);
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  const stop = new AbortController();
  let status = null;
  const channel = { receipts: at('receipts'), record: at('record'), blockCompact: at('block'), order: at('order') };
  const watch = watchPane(
    {
      key: 'k',
      identity: session.pane.identity,
      name: 'bench',
      kind: 'adopted',
      role: 'agent',
      folder: at('work'),
      channel,
      contract: null,
      workspace: null,
      cap: null,
      documentPath: null,
      task: null,
      agent: null,
      lacks: [],
      costs: null,
      maxCostUsd: null,
    },
    {
      state: at('state'),
      signal: stop.signal,
      slots: { take: () => true, give() {} },
      tell: told => (status = told),
      say() {},
      alert: async () => {},
    },
  );
  const ended = () => {
    try {
      return readdirSync(at('state', 'journals', 'done')).sort();
    } catch {
      return [];
    }
  };
  try {
    const own = [];
    for (let cycle = 0; cycle < count; cycle += 1) {
      const until = performance.now() + CYCLE_MS;
      while (ended().length <= cycle) {
        if (performance.now() > until) throw new Error(`cycle ${cycle + 1} did not end: ${JSON.stringify(status)}`);
        const isFree = status?.handoff === null && !session.ear.isTurnOpen() && (status.tokens ?? 0) < THRESHOLD;
        if (isFree) await deliver(session.pane, session.ear, `work on ${cycle} ${Math.random()}`, { waitMs: 5000 });
        await sleep(600);
      }
      own.push(ownTime(readFileSync(at('state', 'journals', 'done', ended()[cycle]), 'utf8'), practice.requests()));
    }
    return own;
  } finally {
    stop.abort();
    await watch.done;
    session.end();
    await practice.close();
  }
}

function ownTime(journal, requests) {
  const lines = journal
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line.slice(17)));
  const reached = name => lines.find(({ state }) => state.name === name)?.at;
  const [from, taken, committing, resumed, to] = ['observed', 'writing', 'committing', 'settling', 'ended'].map(
    reached,
  );
  const times = requests.map(({ at }) => Date.parse(at));
  const last = Math.max(...times.filter(time => time >= taken - 500 && time <= committing));
  const first = times.find(time => time >= resumed - 500) ?? resumed;
  return to - from - (last - taken) - Math.max(0, first - resumed);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const own = await measureCycles(Number(process.argv[2] ?? 5));
  console.log(own.map(Math.round).join(' ms, '), 'ms');
  process.exit();
}
