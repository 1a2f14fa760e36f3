// Real Claude Code agents of one request in one repository, run by a real engine that starts a real watchdog; the
// practice model makes some of them grow over the threshold in the middle of their work.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { HandoffRecord, WatchdogStatus } from '../../src/protocol/handoff.ts';
import { PracticeScript } from '../../src/protocol/practice.ts';
import type { Status } from '../../src/protocol/status.ts';
import { makeCliWorld } from '../cli/cli-world.ts';

export const claude = fileURLToPath(new URL('../../node_modules/.bin/claude', import.meta.url));

const stepsOf = (script: string, rule: string) =>
  JSON.parse(readFileSync(`templates/practice/${script}.json`, 'utf8')).rules.find(
    ({ name }: { name: string }) => name === rule,
  );
const { steps: obedient } = stepsOf('agent', 'contract');
const handoffRule = stepsOf('grower', 'handoff');
const reads = { name: 'Read', input: { file_path: '{{document}}' } };
const readsCode = (file: string) => [{ name: 'Read', input: { file_path: file } }];

export type Growth = {
  slowMs?: number;
  size?: number;
  writeMs?: number;
  growMs?: number;
  growsAgain?: boolean;
  checkMs?: number; // an orchestrator takes this long over a digest, and is full by it
};

// g…: half of the work fills the context, the rest is done by the session after the handoff. b…: slow and steady.
export function fleetScript(code: string, o: Growth = {}): PracticeScript {
  const size = o.size ?? 70_000;
  const growing = [
    { say: 'I begin.', tools: readsCode(code), usage: { context: size }, delay_ms: 500 },
    { say: 'There is much to read.', tools: readsCode(code), usage: { context: size + 1000 }, delay_ms: 2000 },
    { say: 'Half of it is done.', usage: { context: size + 2000 }, delay_ms: 2500 },
  ];
  return PracticeScript.parse({
    about: 'a fleet',
    rules: [
      ...(o.growsAgain
        ? [
            {
              name: 'goes on and grows again',
              when: { session: 2, prompt: '^Read (?<document>/\\S+\\.md) first' },
              steps: [{ tools: [reads] }, ...growing],
            },
          ]
        : []),
      {
        name: 'goes on',
        when: { prompt: '^Read (?<document>/\\S+\\.md) first' },
        steps: [{ tools: [reads] }, ...obedient],
      },
      {
        name: 'checks',
        when: { contains: 'Baton-Digest: ' },
        steps: [
          {
            say: 'I have seen to my workers.',
            ...(o.checkMs === undefined ? {} : { usage: { context: size }, stream_ms: o.checkMs }),
          },
        ],
      },
      // The leading session takes its time to write, so that a worker can end meanwhile.
      {
        ...handoffRule,
        name: 'leader hands over',
        when: { ...handoffRule.when, agent: '^practice$|^$' },
        steps: [{ ...handoffRule.steps[0], delay_ms: o.writeMs ?? 0 }, ...handoffRule.steps.slice(1)],
      },
      { name: 'fills up', when: { contains: 'fill up' }, steps: [{ say: 'I am full.', usage: { context: size } }] },
      handoffRule,
      {
        name: 'grows',
        when: { agent: '^g', contains: 'agent_result.json' },
        steps: [
          { say: 'I begin.', tools: readsCode(code), usage: { context: size }, delay_ms: 500 },
          {
            say: 'There is much to read.',
            tools: readsCode(code),
            usage: { context: size + 1000 },
            delay_ms: o.growMs ?? 3000,
          },
          { say: 'Half of it is done.', usage: { context: size + 2000 }, delay_ms: o.growMs ?? 3000 },
        ],
      },
      {
        name: 'works',
        when: { agent: '^b', contains: 'agent_result.json' },
        steps: [
          ...Array.from({ length: 4 }, () => ({ tools: readsCode(code), delay_ms: (o.slowMs ?? 16_000) / 4 })),
          ...obedient,
        ],
      },
    ],
    follow: 'agent',
  });
}

export async function makeFleet(agents: readonly string[], o: Growth & { settings?: object; config?: object } = {}) {
  const world = makeCliWorld();
  const repo = world.at('repo');
  mkdirSync(repo);
  mkdirSync(world.at('lead')); // where an orchestrator may work
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@localhost');
  writeFileSync(path.join(repo, 'code.txt'), 'one\n');
  writeFileSync(
    path.join(repo, 'baton.json'),
    JSON.stringify({ context_threshold: 60_000, max_concurrent_handoffs: 3, ...o.settings }),
  );
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  const practice = await startPractice({ script: fleetScript(path.join(repo, 'code.txt'), o) });
  await seedPracticeHome(world.at('config'), { trusted: [repo, world.at('lead')] });
  Object.assign(world.env, practiceEnvironment(practice.url, world.at('config')));
  const file = world.request(
    'fleet',
    agents.map(name => ({ name, script: '' })),
  );
  const request = JSON.parse(readFileSync(file, 'utf8'));
  for (const agent of request.agents) agent.timeout = 75;
  request.execution_options = { max_retries: 0, parallel_limit: agents.length };
  writeFileSync(file, JSON.stringify(request));
  const config = { provider: 'claude', claude_path: claude, cwd: repo, ...o.config };
  for (const name of agents) writeFileSync(world.at('fleet', 'agents', name, 'agent.json'), JSON.stringify(config));

  const read = (...parts: string[]) => {
    try {
      return readFileSync(world.at(...parts), 'utf8');
    } catch {
      return '';
    }
  };
  const jsonFiles = <T>(...folder: string[]): T[] => {
    try {
      const names = readdirSync(world.at(...folder)).filter(name => name.endsWith('.json'));
      return names.toSorted().map(name => JSON.parse(read(...folder, name)) as T);
    } catch {
      return [];
    }
  };
  return {
    ...world,
    repo,
    git,
    practice,
    read,
    run: () => world.start(['run', file], { BATON_WATCHDOG: '' }),
    baton: world.run,
    status: (): Status | null =>
      read('fleet', 'ws', 'status.json') === '' ? null : JSON.parse(read('fleet', 'ws', 'status.json')),
    watchdog: (): WatchdogStatus | null =>
      read('state', 'watchdog', 'status.json') === '' ? null : JSON.parse(read('state', 'watchdog', 'status.json')),
    records: () => jsonFiles<HandoffRecord>('state', 'watchdog', 'handoffs'),
    events: (): Event[] =>
      read('fleet', 'ws', 'events.ndjson')
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line)),
    log: () => `${read('state', 'watchdog', 'watchdog.log')}\n${read('state', 'watchdog', 'alerts.ndjson')}`,
    end: async () => {
      await world.run('watchdog', 'stop');
      await practice.close();
      world.end();
    },
  };
}
