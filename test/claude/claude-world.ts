// Real Claude Code sessions against a practice model, run by the engine as agents of a request.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFailed, onTestFinished } from 'vitest';
import { runRequest } from '../../src/engine/run-execution.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import type { Event } from '../../src/protocol/event.ts';
import { PracticeScript } from '../../src/protocol/practice.ts';
import type { Status } from '../../src/protocol/status.ts';
import { type AgentSpec, makeFolder, makeWorld } from '../engine/engine-world.ts';
import { claude } from './open-session.ts';

type Spec = Partial<AgentSpec> & { name: string };
type Options = {
  agents?: Spec[];
  config?: Record<string, unknown>; // of every agent
  env?: Record<string, string>;
  options?: object;
  isTrusted?: boolean;
  isSeeded?: boolean;
  vars?: Record<string, string | number>;
};

// Rules of a test come first, then those of the obedient agent.
export const script = (rules: object[], context?: object): PracticeScript =>
  PracticeScript.parse({ about: 'a test', rules, follow: 'agent', ...(context ? { context } : {}) });

const { rules: agentRules } = JSON.parse(readFileSync('templates/practice/agent.json', 'utf8'));
const obedient = agentRules.find((rule: { name: string }) => rule.name === 'contract').steps;
// Does the whole task, on any prompt that this expression matches.
export const doIt = (prompt: string) => ({ name: `does it: ${prompt}`, when: { prompt }, steps: obedient });

export const GO_ON = 'go on with the task';

export async function makeClaudeRun(rules: string | PracticeScript, o: Options = {}) {
  const agents = o.agents ?? [{ name: 'alpha' }];
  const config = { provider: 'claude', command: undefined, claude_path: claude, ...o.config };
  const world = makeWorld(
    agents.map(agent => ({ script: '', timeout: 60, ...agent, config: { ...config, ...agent.config } })),
    { execution_options: { max_retries: 0, ...o.options } },
  );
  const cwd = (name = agents[0]!.name) => path.join(world.workspace, 'work', name);
  for (const { name } of agents) mkdirSync(cwd(name), { recursive: true });
  const home = path.join(makeFolder(), 'config');
  mkdirSync(home);
  if (o.isSeeded !== false)
    await seedPracticeHome(home, { trusted: o.isTrusted === false ? [] : agents.map(({ name }) => cwd(name)) });
  const practice = await startPractice({ script: rules, set: o.vars ?? {} });
  onTestFinished(() => practice.close());
  for (const name of Object.keys(process.env)) if (/^(ANTHROPIC|CLAUDE)/.test(name)) delete process.env[name];
  Object.assign(process.env, practiceEnvironment(practice.url, home), { CLAUDE_CODE_MAX_RETRIES: '0' }, o.env);

  const read = (name: string) => {
    try {
      return world.read(name);
    } catch {
      return '';
    }
  };
  const events = (): Event[] =>
    read('events.ndjson')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
  const told: Event[] = []; // by then the files are gone
  onTestFailed(() => {
    for (const { type, agent, data } of told)
      if (type !== 'execution_started') console.log(type, agent, JSON.stringify(data).slice(0, 300));
    for (const { kind, agent, turn, rule, text } of practice.requests())
      console.log('model:', kind, agent, turn, rule, JSON.stringify(text.slice(0, 80)));
  });
  const session = (name: string, attempt = 1) => path.join(world.workspace, '.baton', 'claude', `${name}.${attempt}`);
  const screens = (name: string) => path.join(session(name), 'screens');
  return {
    ...world,
    home,
    cwd,
    practice,
    events,
    session,
    status: (): Status | null => (read('status.json') === '' ? null : JSON.parse(read('status.json'))),
    of: <T extends Event['type']>(type: T) =>
      events().filter((event): event is Extract<Event, { type: T }> => event.type === type),
    prompts: () => practice.requests().filter(({ kind }) => kind === 'prompt'),
    // What was kept of an obstacle, and what the pane ever showed.
    kept: (name: string) =>
      existsSync(screens(name))
        ? readdirSync(screens(name)).map(file => readFileSync(path.join(screens(name), file), 'utf8'))
        : [],
    rawLogs: () =>
      readdirSync(path.join(world.workspace, 'tmux'))
        .map(file => read(`tmux/${file}`))
        .join('\n'),
    run: async (more: { trusted?: string[]; signal?: AbortSignal } = {}) =>
      (await runRequest({ file: world.file }, { allowRoots: [], onEvent: event => told.push(event), ...more })).report,
  };
}

export type ClaudeRun = Awaited<ReturnType<typeof makeClaudeRun>>;
