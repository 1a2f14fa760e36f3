// The service, not the agent, fails: parked with its account, and on again by itself where that is possible.

import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { accountGate } from '../../src/claude/account-gate.ts';
import { openPane } from '../../src/tmux/pane-door.ts';
import { tmuxSocket } from '../../src/tmux/runtime.ts';
import { makeFolder, waitFor, writeOut } from '../engine/engine-world.ts';
import { doIt, GO_ON, makeClaudeRun, script } from './claude-world.ts';
import { claude } from './open-session.ts';

const LIMIT = { timeout: 150_000 };

function lateClaude(ms: number): string {
  const file = path.join(makeFolder(), 'claude');
  const wait = `case "$*" in *--settings*) sleep ${ms / 1000} ;; esac`;
  writeFileSync(file, `#!/bin/sh\n${wait}\nexec ${claude} "$@"\n`, { mode: 0o755 });
  return file;
}

test('a storm of 529: parked, on again by itself, and successful', LIMIT, async () => {
  const storm = { name: 'storm', times: 1, steps: [{ error: 'overloaded' }] };
  const world = await makeClaudeRun(script([storm, doIt(GO_ON)]), { config: { max_nudges: 0 } });
  const report = await world.run();
  expect(report.status).toBe('success');
  expect(world.of('parked')[0]!.data).toMatchObject({ reason: expect.stringMatching(/529|overloaded/i) });
  expect(world.of('unparked')).toHaveLength(1);
  expect(world.of('prompt_submitted').map(({ data }) => data.purpose)).toEqual(['task', 'again']);
  expect(report.agents[0]!.claude!.parked_seconds).toBeGreaterThan(0);
});

test.each([
  { how: 'both refused', startMs: 0 },
  // It meets the closed gate with its task untold, and is refused with the login of before.
  { how: 'one of them late', startMs: 5000 },
])(
  'a lost login: one clear alert, no new agent starts; a person gets one to work, and all go on, $how',
  LIMIT,
  async ({ startMs }) => {
    const looks = { say: 'I look around.', tools: [{ name: 'Glob', input: { pattern: '*.md' } }] };
    const when = { agent: 'alpha|beta', turn: 1 };
    const lost = { name: 'lost', when, times: 2, steps: [looks, { error: 'unauthorized' }] };
    const back = { name: 'back', when: { prompt: '^hello' }, steps: [{ say: 'I am back.' }] };
    const command = { provider: 'command', command: ['sh', 'work.sh'] };
    const world = await makeClaudeRun(script([lost, back]), {
      agents: [
        { name: 'alpha' },
        { name: 'beta', config: { claude_path: lateClaude(startMs) } },
        {
          name: 'quick',
          config: command,
          script: `until [ -e "$BATON_WORKSPACE/go" ]; do sleep 0.1; done; ${writeOut}`,
        },
        { name: 'later', needs: ['quick'] },
      ],
    });
    const running = world.run();
    await waitFor(() => world.of('parked').length === 2);
    writeFileSync(path.join(world.workspace, 'go'), '');
    await waitFor(() => world.of('held_back').length === 1);
    const alpha = world.status()!.agents[0]!;
    expect(alpha).toMatchObject({ status: 'parked', claude: { state: 'login', parked: { until: null } } });
    const alerts = () =>
      world.of('warning').filter(({ data }) => data.message.startsWith('parked until a person acts'));
    expect(alerts()).toHaveLength(1);
    expect(alerts()[0]!.data).toMatchObject({ severity: 'high', message: expect.stringContaining('log in') });
    expect(world.of('attempt_started').map(({ agent }) => agent)).not.toContain('later');
    // A person logs in, and says something to one of them.
    const { pid } = world.of('attempt_opened').find(({ agent }) => agent === 'alpha')!.data;
    const pane = openPane({ socket: tmuxSocket(), pane: alpha.pane!, pid });
    expect(await pane.type('hello, please go on')).toBe('sent');
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(await pane.press('Enter')).toBe('sent');
    const told = () =>
      `${world
        .events()
        .map(event => JSON.stringify(event))
        .slice(-40)
        .join('\n')}`;
    const late = new Promise<never>((_, refuse) => setTimeout(() => refuse(new Error(told())), 60_000).unref());
    const report = await Promise.race([running, late]);
    expect(report.status).toBe('success');
    expect(alerts()).toHaveLength(1);
  },
);

test('an account that was closed without an end opens when the run that closed it is gone', async () => {
  const folder = makeFolder();
  const gate = accountGate(folder, { HOME: folder });
  await gate.close({ reason: 'lost', until: null });
  expect(gate.read(Date.now())).toEqual({ reason: 'lost', until: null });
  const file = path.join(folder, readdirSync(folder).find(name => name.startsWith('gate-'))!);
  const old = new Date(Date.now() - 11 * 60_000);
  utimesSync(file, old, old);
  gate.renew();
  expect(gate.read(Date.now())).not.toBeNull();
  utimesSync(file, old, old);
  expect(gate.read(Date.now())).toBeNull();
  gate.renew(); // of a gate that is open: nothing to do
});

test('of two ends the later counts, and one without an end is not shortened', async () => {
  const folder = makeFolder();
  const now = Date.now();
  const gate = accountGate(folder, { HOME: folder });
  await gate.close({ reason: 'a', until: now + 5000 });
  await gate.close({ reason: 'b', until: now + 1000 });
  expect(gate.read(now)).toMatchObject({ reason: 'a' });
  await gate.close({ reason: 'c', until: null });
  await gate.close({ reason: 'd', until: now + 9000 });
  expect(gate.read(now)).toEqual({ reason: 'c', until: null });
  gate.open();
  await gate.close({ reason: 'e', until: now + 1 });
  expect(gate.read(now + 2)).toBeNull();
  expect(accountGate(folder, { HOME: '/another' }).read(now)).toBeNull();
});
