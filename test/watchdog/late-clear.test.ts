// A /clear that comes after its handoff gave up: the cleared agent is told to go on all the same, by the same handoff.

import { expect, test, vi } from 'vitest';
import { begin } from '../../src/handoff/handoff-state.ts';
import { end } from '../../src/handoff/turns.ts';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import { openJournal } from '../../watchdog/journal.ts';
import { patience } from '../cli/cli-world.ts';
import { makeCycleWorld, until } from './cycle-world.ts';
import { looked, type PaperPane, paperPane } from './paper-pane.ts';

vi.setConfig(patience);

// What a handoff leaves that ended as clear_unproven, as long ago as this.
async function givenUp(done: string, o: { pane: string; sessionId: string; agoMs?: number }): Promise<HandoffRecord> {
  const start = { id: 'h-late', pane: o.pane, reason: 'manual', sessionId: o.sessionId, tokensBefore: null } as const;
  const at = Date.now() - (o.agoMs ?? 0);
  const { handoff } = begin(start, at - 60_000);
  const { next, effects } = end(handoff, 'clear_unproven', 'no new session', at);
  await openJournal(done).append({ version: 1, n: 1, at, kind: 'proof', state: next, effects, outcome: null });
  return effects.flatMap(effect => (effect.do === 'record' ? [effect.record] : []))[0]!;
}

const doneOf = (world: Pick<PaperPane, 'at'>) => world.at('state', 'journals', 'done', 'h-late.ndjson');

async function paperGivenUp(agoMs = 0) {
  const paper = paperPane();
  paper.keepRecord(await givenUp(doneOf(paper), { pane: paper.pane.name, sessionId: 's1', agoMs }));
  paper.receipt('SessionStart', 's1', { source: 'startup' });
  return paper;
}

test('a session that is cleared later is told to go on by the real watcher', async () => {
  const world = await makeCycleWorld();
  await world.prompt('work');
  await until(() => !world.ear.isTurnOpen());
  const before = world.ear.state().sessionId!;
  const record = await givenUp(doneOf(world), { pane: 'tested', sessionId: before });
  world.keepRecord(record);
  world.watch();
  await until(() => world.status()?.session_id === before);
  world.keys('-l', '/clear');
  await new Promise(resolve => setTimeout(resolve, 1500)); // its menu
  world.keys('Enter');
  await until(
    () => world.records()[0]?.outcome === 'closed',
    60_000,
    () => `${world.said}`,
  );
  expect(world.records()[0]).toMatchObject({ id: 'h-late', session_before: before, session_after: expect.any(String) });
  expect(world.practice.requests().filter(({ rule, kind }) => rule === 'resume' && kind === 'prompt')).toHaveLength(1);
  await until(() => world.status()?.handoff === null);
  expect((await world.door.look())?.lease).toBeNull();
});

test('also by a watchdog that was started in between', async () => {
  const paper = await paperGivenUp();
  paper.receipt('UserPromptSubmit', 's1', { prompt: 'Please hand over.\nHandoff-Id: h-late\n' });
  paper.receipt('Stop', 's1');
  paper.receipt('SessionStart', 's2', { source: 'clear' });
  paper.watch();
  await until(() => paper.records()[0]?.session_after === 's2', 20_000);
  expect(paper.records()[0]).toMatchObject({ id: 'h-late', outcome: 'agent_gone', why: 'it went while "resuming"' });
});

test.each([
  { what: 'is started anew', source: 'startup', prompt: null, agoMs: 0 },
  { what: 'has been spoken to', source: 'clear', prompt: 'something else', agoMs: 0 },
  { what: 'is cleared hours later', source: 'clear', prompt: null, agoMs: 2 * 60 * 60_000 },
])('a session that $what is left alone', async ({ source, prompt, agoMs }) => {
  const paper = await paperGivenUp(agoMs);
  const watch = paper.watch();
  await looked(paper, 1);
  paper.receipt('SessionStart', 's2', { source });
  if (prompt !== null) paper.receipt('UserPromptSubmit', 's2', { prompt });
  await looked(paper, 2, 's2');
  await watch.stop();
  expect(paper.records()[0]).toMatchObject({ outcome: 'clear_unproven', session_after: null });
});
