// A running execution with one Claude Code agent, the real program against the practice model, and the command
// line beside it: each test talks to the agent as a person would.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { type RecordedRequest, startPractice } from '../../src/practice/start-practice.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { AgentLine, Status } from '../../src/protocol/status.ts';
import { makeCliWorld, until } from './cli-world.ts';

const claude = fileURLToPath(new URL('../../node_modules/.bin/claude', import.meta.url));

export async function makeTalkWorld(
  id: string,
  script: string | object,
  config: Record<string, unknown> = {},
  beforeStart: (folder: string) => void = () => {},
) {
  const world = makeCliWorld();
  const practice = await startPractice({ script: script as string });
  const workspace = world.at(id, 'ws');
  const cwd = path.join(workspace, 'work', 'alpha');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(world.at('agent'));
  writeFileSync(world.at('agent', 'AGENT.md'), 'You write files.');
  writeFileSync(
    world.at('agent', 'agent.json'),
    JSON.stringify({ provider: 'claude', claude_path: claude, ...config }),
  );
  await seedPracticeHome(world.at('config'), { trusted: [cwd] });
  Object.assign(world.env, practiceEnvironment(practice.url, world.at('config')));
  const request = {
    execution_id: id,
    workspace_root: workspace,
    agents: [
      {
        agent_name: 'alpha',
        agent_path: world.at('agent'),
        task: { description: 'write a haiku', inputs: {}, outputs: { poem: 'outputs/poem.md' }, success_criteria: {} },
        dependencies: [],
        timeout: 90,
      },
    ],
    merge_strategy: { type: 'file_merge' },
    execution_options: { max_retries: 0 },
  };
  writeFileSync(world.at('request.json'), JSON.stringify(request));
  beforeStart(world.folder);
  const engine = world.start(['run', world.at('request.json')]);

  const read = (name: string) => {
    try {
      return readFileSync(path.join(workspace, name), 'utf8');
    } catch {
      return '';
    }
  };
  const agent = (): AgentLine | null => {
    const text = read('status.json');
    return text === '' ? null : (JSON.parse(text) as Status).agents[0]!;
  };
  const events = (): Event[] =>
    read('events.ndjson')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-S', world.at('run', 'tmux.sock'), ...args], { encoding: 'utf8' }).stdout;

  return {
    ...world,
    id,
    workspace,
    cwd,
    engine,
    agent,
    events,
    tmux,
    submitted: (purpose: string) =>
      events().filter(event => event.type === 'prompt_submitted' && event.data.purpose === purpose).length,
    prompts: (): string[] =>
      practice
        .requests()
        .filter(isPrompt)
        .map(each => each.text),
    screen: () => tmux('capture-pane', '-p', '-t', agent()?.pane ?? '%0'),
    until: (look: () => boolean, what: string) =>
      until(
        look,
        () => `${what}\n${engine.said.stdout}${engine.said.stderr}\n${tmux('capture-pane', '-p', '-t', '%0')}`,
      ),
    end: async () => {
      if (engine.child.exitCode === null) await world.run('cancel', id, '--quiet');
      await engine.ended;
      await practice.close();
      world.end();
    },
  };
}

const isPrompt = ({ kind }: RecordedRequest): boolean => kind === 'prompt';
