// Agents of one execution handed off by the watchdog while others work, each with a document of its own.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { claudePid } from '../claude/open-session.ts';
import { patience, until } from '../cli/cli-world.ts';
import { isFull } from '../test-size.ts';
import { makeFleet } from './fleet-world.ts';

vi.setConfig(patience);
let fleet: Awaited<ReturnType<typeof makeFleet>>;
afterEach(() => fleet.end());

test('three are handed off while two others work, and all five succeed without a nudge', async () => {
  fleet = await makeFleet(['g1', 'g2', 'g3', 'b1', 'b2']);
  const { code } = await fleet.run().ended;
  expect(code, fleet.log()).toBe(0);
  const report = fleet.report('fleet');
  expect(report.agents.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('success'));

  const records = fleet.records();
  expect(records.map(({ outcome, written_by }) => [outcome, written_by])).toEqual(Array(3).fill(['closed', 'agent']));
  expect(records.map(({ pane }) => pane).toSorted()).toEqual(['g1 of fleet', 'g2 of fleet', 'g3 of fleet']);
  expect(records.every(({ commit }) => commit?.place === 'branch')).toBe(true);

  // They were at work all the while.
  const ends = report.agents.slice(3).map(({ end_time }: { end_time: string }) => end_time);
  for (const { steps } of records) for (const end of ends) expect(steps.cleared! < end).toBe(true);

  // The engine had nothing to say in the meantime, and nobody counted the cleared sessions against them.
  const said = fleet
    .events()
    .flatMap(event => (event.type === 'prompt_submitted' ? [`${event.agent} ${event.data.purpose}`] : []));
  expect(said.toSorted()).toEqual(
    [
      'b1 task',
      'b2 task',
      ...['g1', 'g2', 'g3'].flatMap(name => [`${name} handoff`, `${name} resume`, `${name} task`]),
    ].toSorted(),
  );
  expect(fleet.events().filter(({ type }) => type === 'claude_launched')).toEqual([]);
  expect(report.agents.map(({ claude }: { claude: { session_ids: string[] } }) => claude.session_ids.length)).toEqual([
    2, 2, 2, 1, 1,
  ]);

  // One commit for each, with its own document, and the index of all wherever that changed.
  const commits = fleet.git('log', '--format=%H', '--grep', 'handoff checkpoint').split('\n');
  const files = commits.map(sha => fleet.git('show', '--format=', '--name-only', sha).split('\n'));
  const own = files.map(names => names.filter(name => name !== 'docs/HANDOFF.md').join());
  expect(own.toSorted()).toEqual(['docs/handoff/g1.md', 'docs/handoff/g2.md', 'docs/handoff/g3.md']);
  expect(files.flat()).toContain('docs/HANDOFF.md');
  const index = fleet.git('show', `${commits[0]}:docs/HANDOFF.md`);
  for (const name of ['g1', 'g2', 'g3', 'b1', 'b2'])
    expect(index).toContain(`| ${name} of fleet | do ${name} | running`);
  expect(index).toContain('| main | handoff/g1.md |');
  // And it is true after the end too, in commits of its own, few of them.
  const now = () => fleet.read('repo', 'docs', 'HANDOFF.md');
  await until(() => now().includes('none: no agent is at work'), now);
  for (const name of ['g1', 'b2']) expect(now()).toContain(`${name} of fleet ended: success`);
  await until(() => fleet.git('log', '-1', '--format=%s') === 'docs: index of agents', fleet.log);
  expect(Number(fleet.git('rev-list', '--count', 'HEAD', '--grep', 'index of agents'))).toBeLessThanOrEqual(3);
  expect(fleet.git('status', '--porcelain')).toBe('');
});

test('one that is due and waits for its turn has its lease already: the engine says nothing to it', async () => {
  fleet = await makeFleet(['g1', 'g2'], { settings: { max_concurrent_handoffs: 1 }, growMs: 1000 });
  const { code } = await fleet.run().ended;
  expect(code, fleet.log()).toBe(0);
  const records = fleet.records().toSorted((a, b) => a.ended_at.localeCompare(b.ended_at));
  expect(records.map(({ outcome }) => outcome)).toEqual(['closed', 'closed']);
  expect(records[1]!.started_at < records[0]!.ended_at, 'it waits in its handoff').toBe(true);
  expect(records[1]!.steps.asked! > records[0]!.steps.cleared!, 'one at a time').toBe(true);
  const said = fleet.events().flatMap(event => (event.type === 'prompt_submitted' ? [event.data.purpose] : []));
  expect(said.toSorted()).toEqual(['handoff', 'handoff', 'resume', 'resume', 'task', 'task']);
});

// Half a minute: in `npm run test:full`.
if (isFull)
  test("one that dies while it waits for its turn is the engine's again: written down, relaunched, done", async () => {
    fleet = await makeFleet(['g1', 'g2'], { settings: { max_concurrent_handoffs: 1 }, growMs: 1000 });
    const engine = fleet.run();
    const waiting = () => {
      const panes = fleet.watchdog()?.panes ?? [];
      const [last] = panes.filter(({ handoff }) => handoff?.state === 'quiet');
      const isBusy = panes.some(({ handoff }) => handoff !== null && !['observed', 'quiet'].includes(handoff.state));
      return isBusy ? fleet.status()?.agents.find(({ pane }) => pane === last?.pane) : undefined;
    };
    await until(
      () => waiting() !== undefined,
      () => fleet.log(),
    );
    const { agent_name: name } = waiting()!;
    const opened = fleet.events().find(({ type, agent }) => type === 'attempt_opened' && agent === name)!;
    process.kill(claudePid((opened.data as { pid: number }).pid)!, 'SIGKILL');
    expect((await engine.ended).code, fleet.log()).toBe(0);
    const launched = fleet.events().filter(({ type }) => type === 'claude_launched');
    expect(launched).toMatchObject([{ agent: name, data: { how: 'resume' } }]);
    expect(fleet.records().map(({ pane, outcome }) => `${pane} ${outcome}`)).toContain(`${name} of fleet agent_gone`);
  });

if (isFull)
  test('at max_handoffs it is parked and a person is asked; when the limit is raised it goes on', async () => {
    const settings = (max_handoffs: number) => ({ context_threshold: 60_000, max_handoffs });
    fleet = await makeFleet(['g1'], { settings: settings(1), growsAgain: true });
    const engine = fleet.run();
    await until(
      () => fleet.status()?.agents[0]?.status === 'parked',
      () => fleet.log(),
    );
    const why = 'it had 1 handoffs, and max_handoffs is 1';
    expect(fleet.status()!.agents[0]!.claude!.parked).toEqual({ reason: why, until: null });
    expect(fleet.watchdog()!.panes[0]).toMatchObject({ paused: why, handoff: null });
    expect(fleet.read('state', 'watchdog', 'alerts.ndjson')).toContain(why);
    const warned = fleet.events().filter(({ type }) => type === 'warning');
    expect(warned).toEqual([
      expect.objectContaining({ data: { message: `parked until a person acts: ${why}`, severity: 'high' } }),
    ]);
    expect(fleet.records()).toHaveLength(1);

    writeFileSync(path.join(fleet.repo, 'baton.json'), JSON.stringify(settings(2)));
    expect((await engine.ended).code, fleet.log()).toBe(0);
    expect(fleet.records().map(({ outcome }) => outcome)).toEqual(['closed', 'closed']);
    const [agent] = fleet.report('fleet').agents;
    expect(agent).toMatchObject({ status: 'success', claude: { nudges: 0 } });
    // Claude Code counts anew after /clear; what was spent before is not forgotten.
    const costs = JSON.parse(fleet.read('fleet', 'ws', '.baton', 'claude', 'g1.1', 'costs.json'));
    const each = Object.values<{ last: number }>(costs).map(({ last }) => last);
    expect(each.length).toBeGreaterThanOrEqual(2);
    expect(agent.claude.cost_usd).toBeGreaterThan(Math.max(...each));
  });
