// A `claude-headless` agent run by the real engine: real tmux, the real Claude Code, a practice model of its own.

import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runRequest } from '../../src/engine/run-execution.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import { PracticeScript } from '../../src/protocol/practice.ts';
import { makeFolder, makeWorld } from '../engine/engine-world.ts';

export type Rules = Array<Record<string, unknown>>;
type More = { name?: string; config?: Record<string, unknown>; options?: object; timeout?: number };

for (const name of Object.keys(process.env)) if (/^(ANTHROPIC|CLAUDE)/.test(name)) delete process.env[name];

// Rules of the test's own first, then those of an obedient agent.
export async function makeHeadlessRun(rules: Rules, more: More = {}) {
  const home = makeFolder();
  await seedPracticeHome(home, { trusted: [] });
  const practice = await startPractice({ script: PracticeScript.parse({ about: 'a test', rules, follow: 'agent' }) });
  onTestFinished(() => practice.close());
  Object.assign(process.env, practiceEnvironment(practice.url, home), { CLAUDE_CODE_MAX_RETRIES: '0' });
  const config = {
    provider: 'claude-headless',
    command: undefined,
    claude_path: path.resolve('node_modules/.bin/claude'),
    allow: ['Bash(echo *)', 'Bash(sleep *)', 'Bash(git init *)'],
    ...more.config,
  };
  const name = more.name ?? 'writer';
  const world = makeWorld([{ name, script: '', config, timeout: more.timeout ?? 60 }], {
    execution_options: { max_retries: 0, ...more.options },
  });
  return {
    ...world,
    practice,
    session: (attempt = 1) => path.join(world.workspace, '.baton', 'claude', `${name}.${attempt}`),
    async run() {
      const { report } = await runRequest({ file: world.file }, { allowRoots: [] });
      return { report, agent: report.agents[0]!, chain: report.agents[0]!.claude?.chain ?? null };
    },
  };
}
