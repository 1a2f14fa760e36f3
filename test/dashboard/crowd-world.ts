// Everything at once, for looking at: a real engine with forty small agents that wait for one another, run, ended and
// failed; a real merge left in conflict; and beside them the files of an agent that asks and of an adopted pane.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
// @ts-expect-error plain JavaScript, shared with the bench
import { fakeExecution } from '../bench/fake-execution.mjs';
import { type Agent, until } from '../cli/cli-world.ts';
import type { makeDashWorld } from './dash-world.ts';

const WIDE = '漢字のログ 👩‍👩‍👧 naïve 🇩🇪 ｆｕｌｌ';
const AGENTS = 40;
const BEAT_MS = 1000; // as engine and watchdog write signs of life

export async function makeCrowd(world: ReturnType<typeof makeDashWorld>) {
  const wait = `echo "${WIDE}"; while [ ! -e "${world.at('go')}" ]; do sleep 0.2; done; echo it > "$BATON_OUTPUT_OUT"`;
  const parts: Agent[] = Array.from({ length: AGENTS - 1 }, (_, at) => ({
    name: `part-${at}`,
    script: at === 0 ? 'echo it > "$BATON_OUTPUT_OUT"' : wait,
    needs:
      at === 0 ? [] : [...new Set([Math.floor((at - 1) / 3), ...(at % 5 === 4 ? [at - 2] : [])])].map(n => `part-${n}`),
  }));
  const file = world.request('build', [...parts, { name: 'broken', script: `echo "${WIDE}"; exit 3` }], {
    execution_options: { max_retries: 0, parallel_limit: 3, total_timeout: 95 },
  });
  const request = JSON.parse(readFileSync(file, 'utf8'));
  for (const agent of request.agents) {
    agent.timeout = 95;
    agent.task.description = `${agent.agent_name}: ${WIDE} ${'and so on '.repeat(20)}`;
  }
  writeFileSync(file, JSON.stringify(request));
  const engine = world.start(['run', file, '--quiet']);
  const site = (name: string) => ({
    name,
    outputs: { out: `outputs/${name}/site` },
    script: `mkdir "$BATON_OUTPUT_OUT"; echo "${name} ${WIDE}" > "$BATON_OUTPUT_OUT/page.txt"`,
  });
  await world.run('run', world.request('clash', [site('left'), site('right')]), '-q');

  const asking = fakeExecution({ folder: world.folder, id: 'ask', agents: 1, state: 'running' });
  const question = {
    kind: 'permission',
    title: `Bash command\nrm -r ${WIDE}\nDo you want to proceed?`,
    options: [
      { number: 1, label: 'Yes' },
      { number: 2, label: `No, and tell ${WIDE}` },
    ],
    digest: 'abcdef0123456789',
    asked_at: new Date().toISOString(),
  };
  const watchdog = world.at('state', 'watchdog');
  mkdirSync(watchdog, { recursive: true, mode: 0o700 });
  const pane = {
    socket: '/tmp/own.sock',
    pane: '%77',
    agent: null,
    session_id: null,
    tokens: 88_000,
    threshold: 100_000,
    handoff: null,
    paused: null,
    lacks: [],
  };
  const started_at = new Date().toISOString();
  const beat = () => {
    asking.write({ 'agent-00': { claude: { ...asking.line(0, 1).claude, question } } });
    const heartbeat_at = new Date().toISOString();
    const status = {
      version: 1,
      pid: 1,
      started_at,
      heartbeat_at,
      panes: [pane],
      paused_until: null,
      last_error: null,
    };
    writeFileSync(path.join(watchdog, 'status.json'), JSON.stringify(status));
  };
  beat();
  const timer = setInterval(beat, BEAT_MS);
  const status = () => JSON.parse(readFileSync(world.at('build', 'ws', 'status.json'), 'utf8'));
  await until(
    () =>
      existsSync(world.at('build', 'ws', 'status.json')) &&
      status().counts.running === 3 &&
      status().counts.failure === 1,
    () => engine.said.stderr,
  );
  return {
    status,
    beat,
    quiet: () => clearInterval(timer),
    end: async () => {
      clearInterval(timer);
      await world.run('cancel', 'build', '--quiet');
      await engine.ended;
    },
  };
}
