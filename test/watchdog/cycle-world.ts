// A real Claude Code in a real pane and a real repository, on the practice model, followed by the real watcher.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { claudeEnvironment } from '../../src/claude/claude-environment.ts';
import { claudeCommand, claudeSettings } from '../../src/claude/claude-settings.ts';
import { deliver } from '../../src/claude/deliver.ts';
import { openEar } from '../../src/claude/session-ear.ts';
import type { Limits } from '../../src/handoff/handoff-types.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import { AgentConfig } from '../../src/protocol/agent.ts';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import type { PracticeScript } from '../../src/protocol/practice.ts';
import { openPane } from '../../src/tmux/pane-door.ts';
import type { PaneStatus } from '../../watchdog/pane-status.ts';
import { openSlots } from '../../watchdog/slots.ts';
import { watchPane } from '../../watchdog/watch-pane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type CycleOptions = {
  settings?: Record<string, unknown>; // baton.json
  renderer?: 'fullscreen' | 'default';
  window?: 200_000 | 1_000_000;
  set?: Record<string, number>;
  script?: string | PracticeScript;
  env?: Record<string, string>; // of Claude Code
  hasContract?: boolean; // result.json is what it owes
  limits?: Partial<Limits>;
  hooks?: boolean; // false: the watcher has only screen, session file and transcript
};

export async function makeCycleWorld(o: CycleOptions = {}) {
  const folder = mkdtempSync('/tmp/bc-');
  const at = (...parts: string[]) => path.join(folder, ...parts);
  for (const name of ['work', 'channel', 'state']) mkdirSync(at(name));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: at('work'), encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@localhost');
  writeFileSync(at('work', 'code.txt'), 'one\n');
  writeFileSync(at('work', 'baton.json'), JSON.stringify({ context_threshold: 60_000, ...o.settings }));
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  const practice = await startPractice({
    script: o.script ?? 'grower',
    set: o.set ?? (o.script === undefined ? { start: 30_000, step: 20_000 } : {}),
  });
  const pane = await openClaude(folder, practice.url, o);
  const { channel } = pane;
  const ear = await openEar({ receipts: channel.receipts, now: Date.now });
  const door = openPane(pane.identity);
  let stop = new AbortController();
  const alerts: string[] = [];
  const said: string[] = [];
  let last: PaneStatus | null = null;
  const watches: Promise<void>[] = [];
  const watched = {
    key: 'k',
    identity: pane.identity,
    name: 'tested',
    kind: 'adopted' as const,
    role: 'agent' as const,
    folder: at('work'),
    channel: o.hooks === false ? null : channel,
    configFolder: at('config'),
    contract: o.hasContract ? { resultFile: at('result.json'), outputs: [] } : null,
    workspace: null,
    documentPath: null,
    task: null,
    agent: null,
    cap: null,
    maxCostUsd: null,
    costs: null,
    lacks: [],
  };
  const watch = () => {
    stop = new AbortController();
    const watch = watchPane(watched, {
      state: at('state'),
      signal: stop.signal,
      limits: o.limits,
      slots: openSlots(),
      tell: status => {
        last = status;
      },
      say: line => void said.push(line),
      alert: async (_, text) => void alerts.push(text),
    });
    watches.push(watch.done);
    return watch;
  };
  onTestFinished(async () => {
    stop.abort();
    await Promise.all(watches);
    ear.close();
    process.kill(pane.identity.pid, 'SIGKILL');
    spawnSync('tmux', ['-S', pane.identity.socket, 'kill-server']);
    await practice.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return {
    at,
    git,
    practice,
    door,
    ear,
    alerts,
    said,
    watch,
    unwatch: () => stop.abort(),
    status: () => last,
    prompt: (text: string) => deliver(door, ear, text, { waitMs: 30_000 }),
    keys: (...keys: string[]) =>
      execFileSync('tmux', ['-S', pane.identity.socket, 'send-keys', '-t', pane.identity.pane, ...keys]),
    keepRecord(record: HandoffRecord) {
      mkdirSync(at('state', 'handoffs'), { recursive: true });
      writeFileSync(at('state', 'handoffs', `${record.id}.json`), JSON.stringify(record));
    },
    records: () =>
      list(at('state', 'handoffs')).map(
        name => JSON.parse(readFileSync(at('state', 'handoffs', name), 'utf8')) as HandoffRecord,
      ),
  };
}

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
};

async function openClaude(folder: string, url: string, o: CycleOptions) {
  const at = (...parts: string[]) => path.join(folder, ...parts);
  await seedPracticeHome(at('config'), { trusted: [at('work')] });
  const config = AgentConfig.parse({ renderer: o.renderer ?? 'fullscreen' });
  const scripts = path.join(root, 'templates', 'claude');
  writeFileSync(
    at('settings.json'),
    JSON.stringify(claudeSettings({ config, scripts, permissionHook: null, folders: [] })),
  );
  writeFileSync(at('role.md'), 'You are tested.');
  const channel = {
    receipts: at('channel', 'receipts.ndjson'),
    record: at('channel', 'record.json'),
    blockCompact: at('channel', 'block'),
    order: at('channel', 'order'),
  };
  const { receipts, record: statusRecord, blockCompact, order } = channel;
  const env = {
    HOME: folder,
    PATH: process.env.PATH!,
    LANG: 'C.UTF-8',
    ...practiceEnvironment(url, at('config')),
    ...claudeEnvironment({ receipts, statusRecord, blockCompact, order }),
    ...o.env,
    ...(o.window === 200_000 ? { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' } : {}),
  };
  const command = claudeCommand({
    claude: path.join(root, 'node_modules', '.bin', 'claude'),
    settingsFile: at('settings.json'),
    systemPromptFile: at('role.md'),
    model: undefined,
    session: { new: randomUUID() },
  });
  const socket = at('s');
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const launcher = ['sh', path.join(scripts, 'launch.sh'), at('launch'), at('work'), ...command];
  const config2 = ['-S', socket, '-f', path.join(root, 'templates', 'tmux.conf'), '-u'];
  const words = [
    'new-session',
    '-d',
    '-x',
    '200',
    '-y',
    '50',
    ...variables,
    '-P',
    '-F',
    '#{pane_id} #{pane_pid}',
    '--',
  ];
  const [pane, pid] = execFileSync('tmux', [...config2, ...words, ...launcher], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH!, HOME: folder },
  })
    .trim()
    .split(' ');
  return { channel, identity: { socket, pane: pane!, pid: Number(pid) } };
}

export async function until<T>(
  look: () => T | null | undefined | false,
  ms = 45_000,
  what: string | (() => string) = String(look),
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`nothing after ${ms} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
