// One real Claude Code session without an engine, proven ready. Also used by test/bench/talk.mjs.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeEnvironment } from '../../src/claude/claude-environment.ts';
import { claudeCommand, claudeSettings } from '../../src/claude/claude-settings.ts';
import { openEar, type SessionEar } from '../../src/claude/session-ear.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { AgentConfig } from '../../src/protocol/agent.ts';
import { readScreen } from '../../src/screen/read-screen.ts';
import { openPane, type PaneDoor } from '../../src/tmux/pane-door.ts';

const root = path.resolve(import.meta.dirname, '../..');
export const claude = path.join(root, 'node_modules/.bin/claude');

// The Claude Code process of a pane whose launcher has this pid.
export function claudePid(launcher: number): number | null {
  try {
    const [child] = readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').trim().split(' ');
    return child ? Number(child) : null;
  } catch {
    return null;
  }
}

export type Session = { pane: PaneDoor; ear: SessionEar; folder: string; readyMs: number; end(): void };

// One session without an engine, proven ready.
export async function openSession(url: string, env: Record<string, string> = {}): Promise<Session> {
  const folder = mkdtempSync('/tmp/bc-');
  const at = (name: string) => path.join(folder, name);
  mkdirSync(at('work'));
  await seedPracticeHome(at('config'), { trusted: [at('work')] });
  const scripts = path.join(root, 'templates/claude');
  const config = AgentConfig.parse({});
  writeFileSync(
    at('settings.json'),
    JSON.stringify(claudeSettings({ config, scripts, permissionHook: null, folders: [] })),
  );
  writeFileSync(at('system.md'), 'BATON_AGENT: alpha');
  const variables = {
    ...{ HOME: folder, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    ...practiceEnvironment(url, at('config')),
    ...claudeEnvironment({
      receipts: at('receipts'),
      statusRecord: at('record'),
      blockCompact: at('block'),
      order: at('order'),
    }),
    ...env,
  };
  const command = claudeCommand({
    claude,
    settingsFile: at('settings.json'),
    systemPromptFile: at('system.md'),
    model: undefined,
    session: { new: randomUUID() },
  });
  const from = performance.now();
  const words = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const launch = ['sh', path.join(scripts, 'launch.sh'), at('mark'), at('work'), ...command];
  const place = ['new-session', '-d', '-x', '200', '-y', '50', ...words, '-P', '-F', '#{pane_id} #{pane_pid}', '--'];
  const [id, pid] = execFileSync('tmux', ['-S', at('s'), '-f', '/dev/null', '-u', ...place, ...launch], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH!, HOME: folder, LANG: 'C.UTF-8' },
  })
    .trim()
    .split(' ');
  const pane = openPane({ socket: at('s'), pane: id!, pid: Number(pid) });
  const ear = await openEar({ receipts: at('receipts'), now: Date.now });
  const end = () => {
    ear.close();
    const found = claudePid(Number(pid));
    // Killed, it writes no last words into the folder that is removed next.
    if (found !== null) process.kill(found, 'SIGKILL');
    spawnSync('tmux', ['-S', at('s'), 'kill-server']);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  for (;;) {
    const view = await pane.look();
    if (view !== null && ear.state().sessionId !== null && readScreen(view.text, view).safe_to_type)
      return { pane, ear, folder, readyMs: performance.now() - from, end };
    if (performance.now() - from > 20_000) {
      end();
      throw new Error(`it was not ready after 20 s:\n${view?.text}`);
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
