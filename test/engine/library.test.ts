import { expect, test } from 'vitest';
import { type Event, Fault, orchestrateParallel, type Status } from '../../src/index.ts';
import { leftBehind, makeWorld, waitFor, writeOut } from './engine-world.ts';

test('the library form takes a request as a value and answers with the report, telling events and status on the way', async () => {
  const world = makeWorld([
    { name: 'a', script: writeOut },
    { name: 'b', script: writeOut, needs: ['a'] },
  ]);
  const events: Event[] = [];
  const seen: Status[] = [];
  const report = await orchestrateParallel(world.request, {
    onEvent: event => events.push(event),
    onStatus: status => seen.push(status),
  });
  expect(report.status).toBe('success');
  expect(JSON.parse(world.read('execution_report.json'))).toEqual(report);
  const written = world
    .read('events.ndjson')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(events).toEqual(written);
  expect(written.map(event => event.id)).toEqual(written.map((_, index) => index + 1));
  const phases = written.flatMap(event => (event.type === 'phase_entered' ? [event.data.phase] : []));
  expect(phases).toEqual(['execute', 'validate', 'merge']);
  expect(seen.at(-1)).toMatchObject({ status: 'success', phase: 'done', counts: { success: 2 } });
  expect(JSON.parse(world.read('execution_request.json')).workspace_root).toBe(world.workspace);
});

test('aborting its signal cancels the execution and still gives a report', async () => {
  const world = makeWorld([{ name: 'slow', script: 'sleep 300' }]);
  const stop = new AbortController();
  const running = orchestrateParallel(world.request, { signal: stop.signal });
  await waitFor(() => leftBehind(world.workspace).some(line => line.includes('300')));
  stop.abort();
  const report = await running;
  expect(report).toMatchObject({ status: 'cancelled', agents: [{ status: 'failure', reason: 'cancelled' }] });
});

test('a signal aborted before the start starts no agent', async () => {
  const world = makeWorld([{ name: 'a', script: writeOut }]);
  const report = await orchestrateParallel(world.request, { signal: AbortSignal.abort() });
  expect(report).toMatchObject({ status: 'cancelled', agents: [{ status: 'skipped', attempts: [] }] });
});

test('a bad request rejects with a Fault that lists every problem', async () => {
  const fault = await orchestrateParallel({ agents: 7 }).catch(error => error);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault.code).toBe('invalid');
  expect(fault.problems.length).toBeGreaterThan(1);
});
