// Two ways to speak to a practice model: as a plain program would, and through the real Claude Code.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { type Practice, type PracticeOptions, startPractice } from '../../src/practice/start-practice.ts';

const claude = fileURLToPath(new URL('../../node_modules/.bin/claude', import.meta.url));

export async function openPractice(script: PracticeOptions['script'], set = {}): Promise<Practice> {
  const practice = await startPractice({ script, set });
  onTestFinished(() => practice.close());
  return practice;
}

export type Sent = { messages: unknown[]; stream?: boolean; session?: string; system?: string };

export function post(practice: Practice, sent: Sent, signal?: AbortSignal): Promise<Response> {
  const { session = 'one', ...body } = sent;
  return fetch(`${practice.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-claude-code-session-id': session },
    body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 100, tools: [{ name: 'Write' }], ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export type Answer = {
  content: { type: string; text?: string; id?: string; name?: string; input?: Record<string, string> }[];
  stop_reason: string;
  usage: Record<string, number>;
};

export async function ask(practice: Practice, prompt: string, more: Partial<Sent> = {}): Promise<Answer> {
  const response = await post(practice, { messages: [{ role: 'user', content: prompt }], ...more });
  return (await response.json()) as Answer;
}

// What a program sends when the tools that the answer called have run.
export function afterTools(messages: unknown[], answer: Answer, result = 'ok'): unknown[] {
  const results = answer.content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
  return [...messages, { role: 'assistant', content: answer.content }, { role: 'user', content: results }];
}

// Every field is named as if it were always there: a test that looks at the wrong event fails anyway.
export type EventData = {
  index: number;
  message: { usage: Record<string, number> };
  content_block: { type: string; id: string };
  delta: { type: string; text: string; partial_json: string; stop_reason: string };
};

export function eventsOf(text: string): { type: string; data: EventData }[] {
  const parts = text.split('\n\n').filter(part => part !== '');
  return parts.map(part => {
    const [, type, data] = /^event: (\S+)\ndata: (.*)$/.exec(part)!;
    return { type: type!, data: JSON.parse(data!) };
  });
}

export type World = { folder: string; work: string; env: Record<string, string> };

export async function makeWorld(practice: Practice): Promise<World> {
  const folder = mkdtempSync('/tmp/bt-practice-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const work = path.join(folder, 'work');
  mkdirSync(work);
  const config = path.join(folder, 'config');
  await seedPracticeHome(config, { trusted: [work] });
  const env = { HOME: folder, PATH: process.env.PATH!, LANG: 'C.UTF-8', SHELL: '/bin/sh', TERM: 'tmux-256color' };
  return { folder, work, env: { ...env, ...practiceEnvironment(practice.url, config) } };
}

export function runHeadless(world: World, args: string[]): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(claude, ['-p', ...args], {
      cwd: world.work,
      env: world.env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 25_000,
    });
    let stdout = '';
    child.stdout.on('data', part => {
      stdout += part;
    });
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout }));
  });
}

export type Pane = { screen(): string; keys(...keys: string[]): void; seen(pattern: RegExp): Promise<string> };

export function openPane(world: World, args: string[]): Pane {
  const socket = path.join(world.folder, 's');
  const tmux = (...words: string[]) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words]).toString();
  const env = Object.entries(world.env).map(([name, value]) => `${name}=${value}`);
  const command = ['env', '-i', ...env, claude, ...args];
  tmux('-u', 'new-session', '-d', '-s', 'p', '-x', '120', '-y', '40', '-c', world.work, '--', ...command);
  const pid = Number(tmux('display-message', '-p', '-t', 'p', '#{pane_pid}'));
  onTestFinished(() => {
    // Claude Code writes last words into the config folder, which is removed next; killed, it does not.
    process.kill(pid, 'SIGKILL');
    spawnSync('tmux', ['-S', socket, 'kill-server']); // it may have ended with its only pane
  });
  const screen = () => tmux('capture-pane', '-p', '-t', 'p');
  return {
    screen,
    keys: (...keys) => void tmux('send-keys', '-t', 'p', ...keys),
    async seen(pattern) {
      for (const until = Date.now() + 20_000; Date.now() < until; await sleep(100)) {
        if (pattern.test(screen())) return screen();
      }
      throw new Error(`${pattern} did not appear on:\n${screen()}`);
    },
  };
}
